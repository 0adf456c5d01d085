import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { Connection } from '../credential/connection';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts and fingerprints what is stored with an execution, where n8n's redaction of its data does not reach it. */
export class Vault {
	private readonly key: Buffer;

	/** The key is made of a secret of the credential: who has the execution data alone cannot read them. */
	constructor(connection: Pick<Connection, 'clientSecret' | 'subscriptionKey'>) {
		const secret = connection.clientSecret || connection.subscriptionKey;
		this.key = Buffer.from(hkdfSync('sha256', secret, '', 'n8n-nodes-payroll write record', 32));
	}

	/** Returns a short keyed hash of texts. Without the key, no text can be tried out on it. */
	fingerprint(...parts: readonly string[]): string {
		const hash = createHmac('sha256', this.key).update(JSON.stringify(parts)).digest();
		// A slice of a longer text would keep the whole text in memory.
		return hash.toString('base64url', 0, 16);
	}

	/** Encrypts a value that JSON can hold. It cannot be opened in another place than the one where it is stored. */
	seal(value: unknown, place: string): string {
		const iv = randomBytes(IV_BYTES);
		const cipher = createCipheriv(CIPHER, this.key, iv).setAAD(Buffer.from(place));
		const body = [cipher.update(JSON.stringify(value), 'utf8'), cipher.final()];
		return Buffer.concat([iv, cipher.getAuthTag(), ...body]).toString('base64url');
	}

	/** Returns a sealed value; `undefined` if it was sealed with another key, moved or changed. */
	open(sealed: string, place: string): unknown {
		const bytes = Buffer.from(sealed, 'base64url');
		try {
			const decipher = createDecipheriv(CIPHER, this.key, bytes.subarray(0, IV_BYTES));
			decipher.setAAD(Buffer.from(place));
			decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
			const body = [decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()];
			return JSON.parse(Buffer.concat(body).toString('utf8'));
		} catch {
			return undefined;
		}
	}
}
