import { BoundedMap } from '../../../nodes/shared/http/boundedMap.ts';

it('a bounded map drops the least recently used entry', () => {
	const map = new BoundedMap<string, number>(2);
	map.set('a', 1);
	map.set('b', 2);
	expect(map.get('a')).toBe(1);
	map.set('c', 3);
	expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([1, undefined, 3]);
	expect(map.getOrCreate('c', () => 4)).toBe(3);
	expect(map.getOrCreate('d', () => 4)).toBe(4);
	expect(map.get('a')).toBeUndefined();
	expect([...map.values()]).toEqual([3, 4]);
});
