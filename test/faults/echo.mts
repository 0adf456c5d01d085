/** What a careless service repeats in its bad answers: everything that it was sent. */
import { soapFault as envelopeOf } from '../support/soap.mts';
import { answer, type Answer } from './message.mts';
import type { Call } from './server.mts';

/** Everything secret that the request holds, in a sentence: as it is, URL-encoded, and in base64. */
export function echo({ request }: Call): string {
	const { authorization = '', 'x-subscription-key': key = '' } = request.headers;
	const body = String(request.body);
	const secrets = [authorization, key];
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
	return `${plain}; ${encoded}; ${base64}`;
}

function escaped(text: string): string {
	return text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
}

/** A page that quotes the request, headers and body, as debugging pages do. */
export function quotingPage(call: Call, title: string): string {
	const quoted = escaped(String(call.request.bytes));
	return `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1><p>${echo(call)}</p><pre>${quoted}</pre></body></html>`;
}

/** Who is at fault: the service, or whoever called it. */
export type Blame = 'service' | 'sender';

/** A SOAP fault in the version of the call. */
export function soapFault(
	{ cell }: Call,
	text: string,
	{ blame = 'service', status = 500 }: { blame?: Blame; status?: number } = {},
): Answer {
	const version = cell.target.soapVersion;
	const type = version === '1.1' ? 'text/xml' : 'application/soap+xml';
	const [service, sender] = version === '1.1' ? ['Server', 'Client'] : ['Receiver', 'Sender'];
	const code = `s:${blame === 'service' ? service : sender}`;
	const fault = envelopeOf(escaped(text), { code, version });
	return answer(status, `${type}; charset=utf-8`, fault);
}
