import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { fromTokenResponse, readCredential, secretsOf } from '../transport/connection';
import type { TransportContext } from '../transport/context';

/** What a credential holds of the connected account (docs/interface.md, section 5). */
export interface Account {
	readonly clientId: string;
	/** URL-encoded already, as it stands in the Basic header of docs/interface.md, section 4.1. */
	readonly encodedSecret: string;
	readonly accessToken: string | undefined;
	readonly refreshToken: string | undefined;
	/** The scopes asked for now, which need not be those asked for when the account was connected. */
	readonly askedScopes: readonly string[];
	/** The scopes granted; `undefined` where no token response named them. */
	readonly grantedScopes: readonly string[] | undefined;
	/** What nobody may read, for taking it out of texts. */
	readonly secrets: readonly string[];
}

function splitWords(text: string): string[] {
	return text.split(/\s+/).filter((word) => word !== '');
}

function textField(data: ICredentialDataDecryptedObject, name: string): string {
	const value = data[name];
	return typeof value === 'string' ? value : '';
}

/** The account as it is stored at this moment; read anew at every call. */
export async function readAccount(context: TransportContext): Promise<Account> {
	const data = await readCredential(context);
	const granted = fromTokenResponse(data, 'scope');
	return {
		clientId: textField(data, 'clientId'),
		encodedSecret: textField(data, 'clientSecret'),
		accessToken: fromTokenResponse(data, 'access_token'),
		refreshToken: fromTokenResponse(data, 'refresh_token'),
		askedScopes: splitWords(textField(data, 'scope')),
		grantedScopes: granted === undefined ? undefined : splitWords(granted),
		secrets: secretsOf(data),
	};
}
