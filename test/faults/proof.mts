/**
 * What an answer proves about a write: the rule of the issue, by HTTP and SOAP alone, and written without
 * the package's own code.
 */
import type { Cell } from './server.mts';

/** What a client may say of a write after an answer without a result. */
export type Provable = 'notApplied' | 'refused' | 'unknown';

const TURNED_AWAY = [401, 403, 404, 405, 407, 413, 415, 429];
const OWN_REFUSAL =
	/<(?:\w+:)?(?:faultcode|Value)>[^<]*\b(?:Client|Sender|VersionMismatch|MustUnderstand|DataEncodingUnknown)\b/;

/** The message of the innermost exception in a fault, as an answer holds it. */
function innermost(body: string): string {
	const text = /<(?:faultstring|soap12:Text[^>]*)>([^]*?)<\/(?:faultstring|soap12:Text)>/.exec(
		body,
	);
	const last = (text?.[1] ?? '').split('---> ').at(-1) ?? '';
	return (last.split(/\n\s*(?:at|bij) \S+\.\S* ?\(/)[0] ?? '').replace(
		/^\s*\[?[\w.]+Exception[^:]*: /,
		'',
	);
}

/** What the last thing that the service did to a write proves; nothing may have arrived at all. */
export function provableOf({ answered, received }: Cell): Provable {
	if (received === 0) return 'notApplied';
	if (answered === undefined) return 'unknown';
	const { status, headers } = answered;
	const body = String(answered.body);
	// Of several exceptions, one alone proves nothing.
	if (body.includes('(Inner Exception #1)')) return 'unknown';
	if (OWN_REFUSAL.test(body) || /TWK exception/.test(innermost(body))) return 'notApplied';
	if (/^\d+:/.test(innermost(body))) return 'refused';
	const isLater = status === 503 && headers['Retry-After'] !== undefined;
	return isLater || TURNED_AWAY.includes(status) ? 'notApplied' : 'unknown';
}
