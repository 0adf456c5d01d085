/** The paths of the identity server (docs/dev/interface.md, section 4.1). */

/** The authorization endpoint, where the user logs in and gives consent. */
export const consentPath = '/connect/authorize';

/** The token endpoint, which exchanges a code or a refresh token for tokens. */
export const tokenPath = '/connect/token';

/** Revocation of tokens. The interface does not specify its method and format. */
export const revocationPath = '/connect/revocation';
