/** What a careless service repeats in its bad answers: everything that it was sent. */
import type { Call } from './server.mts';

function domainOf(body: string): string {
	return /<Domain>([^<]*)</.exec(body)?.[1] ?? '';
}

/** Everything secret that the request holds, in a sentence: as it is, URL-encoded, in base64, and cut. */
export function echo({ request }: Call): string {
	const { authorization = '', 'x-subscription-key': key = '' } = request.headers;
	const body = String(request.body);
	const secrets = [authorization, key, domainOf(body)];
	if (request.path.startsWith('/connect/')) {
		const pair = Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString();
		const [id = '', secret = ''] = pair.split(':').map(decodeURIComponent);
		const form = new URLSearchParams(body);
		secrets.push(id, secret, pair, form.get('refresh_token') ?? '', form.get('token') ?? '');
	}
	const known = secrets.filter((secret) => secret !== '');
	const plain = known.join(' | ');
	const encoded = known.map(encodeURIComponent).join('&');
	const base64 = known.map((secret) => Buffer.from(secret).toString('base64')).join(' ');
	const cut = known.map((secret) => secret.slice(0, 200)).join('… ');
	return `${plain}; ${encoded}; ${base64}; ${cut}`;
}

/** A page that quotes the request, headers and body, as debugging pages do. */
export function quotingPage(call: Call, title: string): string {
	const { request } = call;
	const quoted = String(request.bytes).replace(/&/g, '&amp;').replace(/</g, '&lt;');
	return `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1><p>${echo(call)}</p><pre>${quoted}</pre></body></html>`;
}

/** Who is at fault: the service, or whoever called it. */
export type Blame = 'service' | 'sender';

/** A SOAP fault in the version of the call. */
export function soapFault(
	{ cell }: Call,
	text: string,
	blame: Blame = 'service',
): { type: string; body: string } {
	const code11 = blame === 'service' ? 'Server' : 'Client';
	const code12 = blame === 'service' ? 'Receiver' : 'Sender';
	const escaped = text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
	return cell.target.soapVersion === '1.1'
		? {
				type: 'text/xml; charset=utf-8',
				body:
					'<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/">' +
					`<soap:Body><soap:Fault><faultcode>soap:${code11}</faultcode><faultstring>${escaped}</faultstring>` +
					'<detail /></soap:Fault></soap:Body></soap:Envelope>',
			}
		: {
				type: 'application/soap+xml; charset=utf-8',
				body:
					'<?xml version="1.0" encoding="utf-8"?><soap12:Envelope xmlns:soap12="http://www.w3.org/2003/05/soap-envelope">' +
					`<soap12:Body><soap12:Fault><soap12:Code><soap12:Value>soap12:${code12}</soap12:Value></soap12:Code>` +
					`<soap12:Reason><soap12:Text xml:lang="en">${escaped}</soap12:Text></soap12:Reason>` +
					'</soap12:Fault></soap12:Body></soap12:Envelope>',
			};
}
