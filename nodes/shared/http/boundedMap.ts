/** A map of limited size: beyond its capacity, it removes the least recently used entry. */
export class BoundedMap<K, V> {
	private readonly entries = new Map<K, V>();

	constructor(private readonly capacity: number) {}

	values(): Iterable<V> {
		return this.entries.values();
	}

	/** Returns the value of a key, marked as recently used; creates the value if the key is absent. */
	getOrCreate(key: K, create: () => V): V {
		const value = this.entries.get(key) ?? create();
		this.entries.delete(key);
		this.entries.set(key, value);
		const [oldest] = this.entries.keys();
		if (this.entries.size > this.capacity) this.entries.delete(oldest as K);
		return value;
	}
}
