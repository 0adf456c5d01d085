/** Returns a function that makes something of an object once, and keeps it as long as the object. */
export function onceFor<K extends object, V>(make: (key: K) => V): (key: K) => V {
	const known = new WeakMap<K, { readonly value: V }>();
	return (key) => {
		const found = known.get(key) ?? { value: make(key) };
		known.set(key, found);
		return found.value;
	};
}
