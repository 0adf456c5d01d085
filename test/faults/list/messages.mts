/** What the errors of several groups say. */
export const BROKE = /connection to the payroll service broke/;
export const LATE = /did not answer in time.*Timeout/s;
export const UNREADABLE = /no readable answer|something that cannot be read|cannot be read as JSON/;
export const TOKEN_REJECTED = /does not accept the access token/;

/** The error names this status. */
export function httpStatus(code: number): RegExp {
	return new RegExp(`HTTP ${code}\\b`);
}
