import { BoundedMap } from '../../../nodes/shared/http/boundedMap.ts';

it('a bounded map drops the least recently used entry', () => {
	const map = new BoundedMap<string, number>(2);
	map.getOrCreate('a', () => 1);
	map.getOrCreate('b', () => 2);
	expect(map.getOrCreate('a', () => 3)).toBe(1);
	expect(map.getOrCreate('c', () => 3)).toBe(3);
	expect([...map.values()]).toEqual([1, 3]);
	expect(map.getOrCreate('b', () => 4)).toBe(4);
	expect([...map.values()]).toEqual([3, 4]);
});
