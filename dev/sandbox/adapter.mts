/** In-memory storage for oidc-provider's records, with a record of spent refresh tokens. */

/** The part of a stored record that the storage itself reads. */
export interface StoredRecord {
	grantId?: string;
	uid?: string;
	consumed?: number;
}

/** Storage of one kind of record, as oidc-provider asks for it. */
export interface Adapter {
	upsert(id: string, record: StoredRecord, expiresIn?: number): Promise<void>;
	find(id: string): Promise<StoredRecord | undefined>;
	findByUid(uid: string): Promise<StoredRecord | undefined>;
	findByUserCode(userCode: string): Promise<undefined>;
	consume(id: string): Promise<void>;
	destroy(id: string): Promise<void>;
	revokeByGrantId(grantId: string): Promise<void>;
}

export class IdentityStore {
	/** Refresh tokens that were exchanged; they stay here when their records are gone. */
	readonly spent = new Set<string>();
	readonly #kinds = new Map<string, Map<string, StoredRecord>>();

	/** @param hideSpent whether a spent refresh token looks unknown, so that its grant lives on */
	constructor(private readonly hideSpent: () => boolean) {}

	/** Gives the storage of one kind of record. */
	adapter(kind: string): Adapter {
		const records = this.#kinds.get(kind) ?? new Map<string, StoredRecord>();
		this.#kinds.set(kind, records);
		// Expiry is the provider's own check: its records carry `exp`.
		return {
			upsert: async (id, record) => void records.set(id, record),
			find: async (id) => {
				const hidden = kind === 'RefreshToken' && this.spent.has(id) && this.hideSpent();
				return hidden ? undefined : records.get(id);
			},
			findByUid: async (uid) => [...records.values()].find((record) => record.uid === uid),
			findByUserCode: async () => undefined,
			consume: async (id) => {
				const record = records.get(id);
				if (record) record.consumed = Math.floor(Date.now() / 1000);
				if (kind === 'RefreshToken') this.spent.add(id);
			},
			destroy: async (id) => void records.delete(id),
			revokeByGrantId: async (grantId) => {
				for (const [id, record] of records) if (record.grantId === grantId) records.delete(id);
			},
		};
	}
}
