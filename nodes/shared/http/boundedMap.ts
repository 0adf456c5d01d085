/** A map of limited size: beyond its capacity, it removes the least recently used entry. */
export class BoundedMap<K, V> {
	private readonly entries = new Map<K, V>();

	/** @param capacity maximum number of entries */
	constructor(private readonly capacity: number) {}

	/** Returns the value of a key and marks it as recently used; `undefined` if the key is absent. */
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

	values(): Iterable<V> {
		return this.entries.values();
	}

	/** Returns the value of a key; creates and stores the value if the key is absent. */
	getOrCreate(key: K, create: () => V): V {
		const known = this.get(key);
		if (known !== undefined) return known;
		const value = create();
		this.set(key, value);
		return value;
	}
}
