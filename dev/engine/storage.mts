import { setImmediate as tick } from 'node:timers/promises';

import { workflow } from './n8n.mts';

/** A stored credential: its data is n8n's encrypted text, as in n8n's database. */
export interface CredentialRow {
	id: string;
	name: string;
	type: string;
	data: string;
}

/**
 * An in-memory credentials table. Rows hold text and are copied in and out, so no object is shared.
 * Every access takes a turn of the event loop, like an access over a network.
 */
export class CredentialStorage {
	/** How often a row was read. */
	reads = 0;

	private readonly rows = new Map<string, CredentialRow>();

	/** Creates or replaces a row. */
	async insert(row: CredentialRow): Promise<void> {
		await tick();
		this.rows.set(row.id, { ...row });
	}

	/**
	 * Reads a row.
	 *
	 * @throws UserError when there is no row with this id (and type, if one is given)
	 */
	async read(id: string, type?: string): Promise<CredentialRow> {
		await tick();
		this.reads += 1;
		const row = this.rows.get(id);
		if (!row || (type !== undefined && row.type !== type)) {
			throw new workflow.UserError(`Credential with ID "${id}" does not exist`);
		}
		return { ...row };
	}

	/** Replaces the encrypted data of a row. */
	async update(id: string, data: string): Promise<void> {
		await tick();
		const row = this.rows.get(id);
		if (!row) throw new workflow.UserError(`Credential with ID "${id}" does not exist`);
		this.rows.set(id, { ...row, data });
	}
}
