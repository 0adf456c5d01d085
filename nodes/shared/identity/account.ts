import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import {
	fromTokenResponse,
	secretsOf,
	tokensOf,
	type AccountTokens,
} from '../credential/connection';
import type { RequestHost } from '../credential/requestHost';

/** What a credential stores about the connected account (docs/dev/interface.md, section 5). */
export interface Account extends AccountTokens {
	/** Already URL-encoded, as the Basic header of docs/dev/interface.md, section 4.1 contains it. */
	readonly encodedSecret: string;
	/** The scopes to request now; the account may have been connected with others. */
	readonly askedScopes: readonly string[];
	/** The granted scopes; `undefined` if no token response named them. */
	readonly grantedScopes: readonly string[] | undefined;
	/** Values to mask in texts. */
	readonly secrets: readonly string[];
}

function splitWords(text: string): string[] {
	return text.split(/\s+/).filter((word) => word !== '');
}

function textField(data: ICredentialDataDecryptedObject, name: string): string {
	const value = data[name];
	return typeof value === 'string' ? value : '';
}

/** Reads the stored account. The result is never cached: each call reads the credential again. */
export async function readAccount(host: RequestHost): Promise<Account> {
	const data = await host.readCredential();
	const granted = fromTokenResponse(data, 'scope');
	return {
		...tokensOf(data),
		encodedSecret: textField(data, 'clientSecret'),
		askedScopes: splitWords(textField(data, 'scope')),
		grantedScopes: granted === undefined ? undefined : splitWords(granted),
		secrets: secretsOf(data),
	};
}
