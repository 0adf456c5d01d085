/** A map that forgets the entry that was not used for longest where it would become too large. */
export class BoundedMap<K, V> {
	private readonly entries = new Map<K, V>();

	/** @param capacity how many entries there are at most */
	constructor(private readonly capacity: number) {}

	/** The value of a key, `undefined` where there is none. */
	get(key: K): V | undefined {
		const value = this.entries.get(key);
		if (value !== undefined) this.set(key, value);
		return value;
	}

	set(key: K, value: V): void {
		this.entries.delete(key);
		this.entries.set(key, value);
		if (this.entries.size <= this.capacity) return;
		for (const oldest of this.entries.keys()) {
			this.entries.delete(oldest);
			return;
		}
	}

	delete(key: K): void {
		this.entries.delete(key);
	}

	/** The value of a key; a new one where there is none. */
	take(key: K, create: () => V): V {
		const known = this.get(key);
		if (known !== undefined) return known;
		const value = create();
		this.set(key, value);
		return value;
	}
}
