/** Damage to the structure of a document: elements that are missing, repeated, moved or unknown. */
import fc from 'fast-check';
import { attributeBomb, bomb, content, longNumber } from './bombs.mts';
import { element, type Element } from './documents.mts';
import type { Mutation } from './mutations.mts';
import { words } from './words.mts';

/** What an element becomes. */
type Change = (found: Element) => Element['children'];

/** The approximate number of characters of a tree. */
function size(node: Element | string): number {
	if (typeof node === 'string') return node.length;
	return node.children.reduce((sum, child) => sum + size(child), 20);
}

/** The elements inside a tree that meet a condition, in document order. */
function inside(node: Element, suits: (found: Element) => boolean): Element[] {
	return node.children.flatMap((child) => {
		if (typeof child === 'string') return [];
		return [...(suits(child) ? [child] : []), ...inside(child, suits)];
	});
}

/** Applies a change to the n-th element inside a tree that meets a condition, counted cyclically. */
function changed(
	root: Element,
	n: number,
	change: Change,
	suits: (found: Element) => boolean = () => true,
): Element {
	const elements = inside(root, suits);
	const chosen = elements[n % Math.max(1, elements.length)];
	let isDone = false;
	const walk = (node: Element): Element => ({
		...node,
		children: node.children.flatMap((child) => {
			if (typeof child === 'string') return [child];
			// A copied element occurs more than once.
			if (isDone || child !== chosen) return [isDone ? child : walk(child)];
			isDone = true;
			return change(child);
		}),
	});
	return walk(root);
}

/** Enough elements for some hundred kilobytes. */
const MANY = 20_000;

const names = words(
	'a Id EmployeeCostCenter Percentage Fault Body __proto__ constructor toString x.y-z',
);

const times = fc.oneof(
	{ weight: 12, arbitrary: fc.constantFrom(1, 2, 3) },
	{ weight: 1, arbitrary: fc.constantFrom(200, MANY) },
);

const space = fc.constantFrom<Element['space']>('soap', 'service', 'none');
const child = fc
	.tuple(fc.constantFrom(...names), space, fc.boolean())
	.map(([name, of, nested]) => element(of, name, [nested ? element('none', 'a', ['1']) : '1']));

const structureChange: fc.Arbitrary<Change> = fc.oneof(
	fc.constant<Change>(() => []),
	fc.constant<Change>((found) => found.children),
	times.map(
		(wanted): Change =>
			(found) => {
				// Copies of copies would grow without limit.
				const copies = Math.min(wanted, Math.ceil((20 * MANY) / size(found)));
				return Array.from({ length: copies }, () => found);
			},
	),
	fc.integer({ min: 1, max: 80 }).map(
		(depth): Change =>
			(found) => {
				let nested = found;
				for (let i = 0; i < depth; i += 1) nested = { ...found, children: [nested] };
				return [nested];
			},
	),
	fc.tuple(fc.constantFrom(...names), space).map(
		([name, of]): Change =>
			(found) => [{ ...found, name, space: of }],
	),
	{
		weight: 3,
		arbitrary: fc.tuple(child, times).map(
			([added, wanted]): Change =>
				(found) => {
					const more = Array.from({ length: wanted }, () => added);
					return [{ ...found, children: [...found.children, ...more] }];
				},
		),
	},
	fc.constantFrom(' xsi:nil="1"', ' xsi:nil="true"', ' a="b"').map(
		(attribute): Change =>
			(found) => [{ ...found, attributes: found.attributes + attribute }],
	),
	attributeBomb.map(
		(attributes): Change =>
			(found) => [{ ...found, attributes: found.attributes + attributes }],
	),
	// Written unescaped, so that its markup is markup.
	bomb.map(
		(long): Change =>
			(found) => [{ ...found, children: [...found.children, long] }],
	),
	{
		weight: 3,
		arbitrary: fc.tuple(content, fc.boolean()).map(
			([long, instead]): Change =>
				(found) => {
					return [{ ...found, children: instead ? [long] : [...found.children, long] }];
				},
		),
	},
);

const isNumber = ({ children }: Element): boolean =>
	children.length === 1 && typeof children[0] === 'string' && /^[-+\d.]+$/.test(children[0]);

/** Changes of one element at any depth. */
export const structureMutation: fc.Arbitrary<Mutation<Element>> = fc.oneof(
	{
		weight: 9,
		arbitrary: fc.tuple(fc.nat(60), structureChange).map(
			([n, change]) =>
				(root: Element) =>
					changed(root, n, change),
		),
	},
	{
		weight: 1,
		arbitrary: fc.tuple(fc.nat(60), longNumber).map(
			([n, long]) =>
				(root: Element) =>
					changed(root, n, (found) => [{ ...found, children: [long] }], isNumber),
		),
	},
);
