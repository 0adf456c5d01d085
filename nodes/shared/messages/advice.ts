/** Advice that several failures share, or that is added to any. */
import type { Mention } from '../errors/phrases';

/** How to log in again: n8n shows a credential whose tokens have expired as connected. */
export const LOG_IN_AGAIN =
	"choose 'Switch account' ('Reconnect' in an older n8n) and log in again";

/** The advice for what the words of an answer mention: it only repeats that. */
export const MENTIONED: Readonly<Record<Mention, string>> = {
	// A gateway limits the calls of a subscription.
	quota:
		"The service limits the number of calls, and the limit is reached. Make fewer calls: 'Requests per Second' in the credential limits them. Or ask the payroll provider for a larger quota.",
	key: "The answer mentions the subscription key: check 'Subscription Key' in the credential.",
	scopes: `The answer mentions a scope: the consent probably does not cover this call. Choose the scopes that it needs under 'Scopes' in the credential, then ${LOG_IN_AGAIN}.`,
	domain:
		"The answer mentions a domain: check 'Domain' in the credential, and whether the connected user has access to it.",
	operation:
		"The service does not know the operation by this name: check 'SOAP Namespace' in the credential.",
	version: "The service expects another version of SOAP: change 'SOAP Version' in the credential.",
	login: `The answer mentions the login: open the credential, ${LOG_IN_AGAIN}. If that does not help, ask the payroll provider what the user may do.`,
};

/**
 * Returns the advice for the code of a fault: what it usually means, since public clients of services of this kind
 * treat it so. It never decides about a write.
 */
export function adviceOnCode(serviceCode: string): string {
	const code = Number(serviceCode);
	if ((code >= 1001 && code <= 1004) || code === 2003) {
		return "This code usually means that access is refused: check whether the connected user may do this for this employee or company, then 'Domain', 'Subscription Key' and 'Scopes' in the credential.";
	}
	if (code === 1006 || code === 9999) {
		return 'This code usually means that the service itself failed, whatever the values are. If that continues, ask the payroll provider.';
	}
	return code >= 2001
		? 'This code usually means that the service does not accept a value. Correct the value that the message is about.'
		: 'Check the values, and look up the code in the documentation of the payroll service.';
}

/** The advice for an access token that is valid only from a later time on. */
export const NOT_VALID_YET =
	'By the clock of the payroll service or of n8n, the access token is not valid yet: correct that clock, or the one of the identity server.';

/** Of an error for page 0, which only some services have. */
export const ON_PAGE_ZERO =
	"It was asked for page 0, since some services count their pages from 0. If this one counts from 1, set 'First Page' to 1 in the node's options.";
