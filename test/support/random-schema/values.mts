/** Random values of random schemas: as JSON, and as the elements that carry them. */
import fc from 'fast-check';
import { xmlText } from '../arbitraries.mts';
import type { Dice } from './dice.mts';
import type { Definitions } from './generate.mts';
import {
	attributesOf,
	concreteTypes,
	contentsOf,
	elementsOf,
	namespaces,
	rowOf,
	textOf,
	type ComplexType,
	type Element,
	type ElementType,
	type Group,
	type Particle,
	type Space,
	type Wildcard,
} from './model.mts';
import { type SimpleType, type SimpleValue } from './simple.mts';
import { UNSUPPORTED_NAMES } from './write.mts';

/** The content of an element, as it is sent and as an answer may have it. */
export interface Content {
	readonly attributes: ReadonlyArray<
		Pick<SimpleValue, 'answer' | 'text'> & { readonly space: Space; readonly name: string }
	>;
	/** Its `xsi:type`, with a prefix. */
	readonly type: string | undefined;
	readonly isNil: boolean;
	readonly text: string;
	readonly answer: string;
	/** Child elements in the order in which they are sent. */
	readonly children: readonly Node[];
	/** Child elements in another order that the schema allows. */
	readonly answered: readonly Node[];
}

export interface Node extends Content {
	readonly space: Space;
	readonly name: string;
}

/** A value as JSON and as XML. */
export interface Value {
	/** What a request is made of. */
	readonly given: unknown;
	/** What an answer is read as. */
	readonly read: unknown;
	readonly content: Content;
}

type Json = Record<string, unknown>;

/** A value of a complex type. */
export interface RecordValue extends Value {
	readonly given: Json;
	readonly read: Json;
}

const EMPTY: Content = {
	attributes: [],
	type: undefined,
	isNil: false,
	text: '',
	answer: '',
	children: [],
	answered: [],
};

const NIL: Value = { given: null, read: null, content: { ...EMPTY, isNil: true } };

/** From this number of elements on, only what is required gets a value. */
const ENOUGH = 60;

const MAX_LEVEL = 8;

interface Emitted {
	readonly particle: Element | Wildcard;
	readonly name: string;
	readonly value: Value;
}

export class Values {
	#elements = 0;

	/** @param kinds collects what the values are examples of */
	constructor(
		private readonly dice: Dice,
		private readonly definitions: Definitions,
		private readonly kinds: Set<string>,
	) {}

	/** Returns the values of an operation's element. */
	ofWrapper(type: ComplexType): RecordValue {
		const value = this.#fields(type, 'a', 0);
		const read = { ...value.read };
		// A list that an answer has not is empty.
		for (const { particle, max } of elementsOf(contentsOf(type))) {
			if (particle.kind === 'any') continue;
			const { name, type: own } = particle;
			const isSet = Object.hasOwn(read, name) && read[name] !== null;
			if (!isSet && (max > 1 || isList(own))) read[name] = [];
		}
		return { ...value, read };
	}

	#isEnough(level: number): boolean {
		return level > MAX_LEVEL || this.#elements > ENOUGH;
	}

	#simple(type: SimpleType, fixed?: string): Value {
		this.kinds.add(type.kind);
		if (type.name?.startsWith('s:') === false) this.kinds.add('named simple type');
		const value =
			fixed === undefined
				? type.value(this.dice)
				: { given: fixed, text: fixed, answer: fixed, read: fixed };
		const { given, read, text, answer } = value;
		return { given, read, content: { ...EMPTY, text, answer } };
	}

	#ofType(type: ElementType, space: Space, level: number, fixed?: string): Value {
		if ('simple' in type) return this.#simple(type.simple, fixed);
		if ('any' in type) return this.#any(space);
		if ('unsupported' in type) {
			this.kinds.add(type.unsupported.kind);
			return this.#children(UNSUPPORTED_NAMES, space);
		}
		return this.#complex(type.complex, space, level);
	}

	/** Elements of texts that are neither typed nor known. */
	#children(names: readonly string[], space: Space): RecordValue {
		const texts = names.map((name) => [name, this.dice.of(xmlText)] as const);
		const children = texts.map(([name, text]) => ({ ...EMPTY, space, name, text, answer: text }));
		const given = Object.fromEntries(texts);
		return { given, read: given, content: { ...EMPTY, children, answered: children } };
	}

	#any(space: Space): Value {
		const { dice } = this;
		this.kinds.add('any type');
		const typed = (type: string, given: unknown, text = String(given)): Value => {
			return { given, read: given, content: { ...EMPTY, type, text, answer: text } };
		};
		const named = dice.pick([undefined, ...this.definitions.simpleTypes]);
		switch (dice.number(0, 6)) {
			case 0:
				return typed('s:string', dice.of(xmlText));
			case 1:
				return typed('s:boolean', dice.chance(50));
			case 2:
				return typed('s:int', dice.of(fc.integer()));
			case 3:
				return typed('s:double', dice.number(-1000, 1000) + 0.5);
			case 4:
				return this.#children([`Any${dice.number(0, 9)}`, 'Other'], space);
			case 5: {
				if (named === undefined) break;
				const [prefix, local] = (named.name ?? '').split(':');
				const text = String(named.value(dice).text);
				const type = `{${namespaces[prefix as Space]}}${local}`;
				return typed(named.name ?? '', { '@xsi:type': type, '#text': text }, text);
			}
		}
		const type = dice.pick(['dateTime', 'decimal']);
		const text = type === 'decimal' ? '1.50' : '2026-11-22T10:00:00Z';
		return typed(`s:${type}`, { '@xsi:type': type, '#text': text }, text);
	}

	#complex(type: ComplexType, space: Space, level: number): Value {
		const row = rowOf(type);
		if (row !== undefined) return this.#list(type, row, space, level);
		const text = textOf(type);
		const isText = attributesOf(type).length === 0 && type.derived.length === 0;
		if (text !== undefined && isText && !type.isAbstract) return this.#simple(text);
		return this.#record(type, space, level);
	}

	#list(type: ComplexType, row: Element, space: Space, level: number): Value {
		this.kinds.add('list');
		const { given, read, content } = this.#fields(type, space, level);
		const rows = (values: Json): unknown[] =>
			(Object.hasOwn(values, row.name) ? values[row.name] : []) as unknown[];
		if (rows(read).includes(null)) this.kinds.add('row that is nil');
		return { given: rows(given), read: rows(read), content };
	}

	#record(declared: ComplexType, space: Space, level: number): RecordValue {
		const { dice } = this;
		const types = concreteTypes(declared);
		const type = this.#isEnough(level) ? (types[0] as ComplexType) : dice.pick(types);
		const text = textOf(type);
		const own = text === undefined ? this.#fields(type, space, level) : undefined;
		const value = own ?? { given: {}, read: {}, content: EMPTY };
		const { given, read } = value;
		let { content } = value;
		if (text !== undefined) {
			this.kinds.add('text with attributes');
			const inner = this.#simple(text);
			content = inner.content;
			[given['#text'], read['#text']] = [inner.given, inner.read];
		}
		if (type.base !== undefined) this.kinds.add(type.isRestriction ? 'restriction' : 'extension');
		const attributes = this.#attributes(type, given, read);
		if (type === declared) {
			if (types.length > 1 && dice.chance(20)) given['@xsi:type'] = this.#typeName(declared, type);
			return { given, read, content: { ...content, attributes } };
		}
		this.kinds.add(declared.isAbstract ? 'abstract type' : 'derived type');
		given['@xsi:type'] = read['@xsi:type'] = this.#typeName(declared, type);
		const named = `${type.space}:${type.name}`;
		return { given, read, content: { ...content, attributes, type: named } };
	}

	/** Two types of the same name are told apart by the namespace that is not the service's. */
	#typeName(declared: ComplexType, type: ComplexType): string {
		const same = concreteTypes(declared).filter(({ name }) => name === type.name);
		if (same.length === 1 || type.space === 'a') return type.name ?? '';
		this.kinds.add('types of the same name');
		return `{${namespaces[type.space]}}${type.name}`;
	}

	#attributes(type: ComplexType, given: Json, read: Json): Content['attributes'] {
		return attributesOf(type).flatMap((attribute) => {
			const { name, space, isRequired, fixed } = attribute;
			if (!isRequired && this.dice.chance(40)) return [];
			this.kinds.add('attribute');
			if (space !== '') this.kinds.add('qualified attribute');
			if (attribute.isReference) this.kinds.add('reference to an attribute');
			if (type.attributeGroup !== undefined) this.kinds.add('attribute group');
			const value = this.#simple(attribute.type, fixed);
			given[`@${name}`] = value.given;
			read[`@${name}`] = value.read;
			return [{ name, space, text: value.content.text, answer: value.content.answer }];
		});
	}

	/** @param space namespace of the element around the fields */
	#fields(type: ComplexType, space: Space, level: number): RecordValue {
		const { dice } = this;
		const contents = contentsOf(type);
		const emitted: Emitted[] = [];
		for (const content of contents) this.#emit(content, space, level, emitted);

		const given: Json = {};
		const read: Json = {};
		const sent: Emitted[] = [];
		for (const { particle, max, isOptional } of elementsOf(contents)) {
			const own = emitted.filter((one) => one.particle === particle);
			sent.push(...own);
			if (particle.kind === 'any') {
				for (const { name, value } of own) {
					given[name] = value.given;
					read[name] = value.read;
				}
				continue;
			}
			const { name, isNillable } = particle;
			const [first] = own;
			if (max > 1) {
				if (first === undefined) {
					if (dice.chance(20)) given[name] = [];
					continue;
				}
				this.kinds.add('repeated element');
				given[name] = own.map(({ value }) => value.given);
				read[name] = own.map(({ value }) => value.read);
			} else if (first !== undefined) {
				read[name] = first.value.read;
				// A required element that is not given is nil.
				if (!isOptional && first.value.content.isNil && dice.chance(50)) {
					this.kinds.add('required element that is not given');
				} else {
					given[name] = first.value.given;
				}
			} else if (!isNillable && dice.chance(10)) {
				given[name] = null;
			}
		}
		const nodesOf = (all: readonly Emitted[]): Node[] =>
			all.map(({ particle, name, value }) => ({
				...value.content,
				name,
				space: particle.kind === 'any' ? space : particle.space,
			}));
		const isAll = contents.some(({ kind }) => kind === 'all');
		const answered = isAll ? dice.shuffled(emitted) : emitted;
		const content = { ...EMPTY, children: nodesOf(sent), answered: nodesOf(answered) };
		return { given, read, content };
	}

	#emit(particle: Particle, space: Space, level: number, emitted: Emitted[]): void {
		if (particle.kind === 'any') this.#emitOthers(particle, space, emitted);
		else if (particle.kind === 'element') this.#emitElement(particle, level, emitted);
		else this.#emitGroup(particle, space, level, emitted);
	}

	#times({ min, max }: Group | Element, level: number): number {
		if (this.#isEnough(level)) return min;
		return this.dice.number(min, Math.min(max, min + 2));
	}

	#emitGroup(group: Group, space: Space, level: number, emitted: Emitted[]): void {
		const { kind, children, max, reference } = group;
		const times = this.#times(group, level);
		if (times > 0 && children.length > 0) {
			if (kind !== 'sequence') this.kinds.add(max > 1 ? `repeated ${kind}` : kind);
			else if (max > 1) this.kinds.add('repeated sequence');
			if (reference !== undefined) this.kinds.add('group');
		}
		for (let i = 0; i < times; i++) {
			const chosen =
				kind === 'choice' && children.length > 0 ? [this.dice.pick(children)] : children;
			for (const child of chosen) this.#emit(child, space, level, emitted);
		}
	}

	#emitElement(element: Element, level: number, emitted: Emitted[]): void {
		const { type, name, space, fixed, isNillable, isReference } = element;
		for (let i = this.#times(element, level); i > 0; i--) {
			this.#elements++;
			if (isReference) this.kinds.add('reference to an element');
			if (space === '') this.kinds.add('unqualified element');
			if (space === 'b') this.kinds.add('element of another namespace');
			if (name in {}) this.kinds.add('inherited name');
			if (level > 3 && 'complex' in type) this.kinds.add('deep record');
			const isNil = isNillable && canBeNil(type) && this.dice.chance(25);
			if (isNil) this.kinds.add('nil');
			const value = isNil ? NIL : this.#ofType(type, space, level + 1, fixed);
			emitted.push({ particle: element, name, value });
		}
	}

	/** Emits elements in the place of `xs:any`. */
	#emitOthers(particle: Wildcard, space: Space, emitted: Emitted[]): void {
		const { dice } = this;
		for (let i = dice.number(0, 2); i > 0; i--) {
			this.kinds.add('any element');
			const text = dice.of(xmlText);
			const value = dice.chance(30)
				? this.#children(['Inner'], space)
				: { given: text, read: text, content: { ...EMPTY, text, answer: text } };
			emitted.push({ particle, name: `Other${i}`, value });
		}
	}
}

/** Without its attributes an element is invalid, also if it is nil. */
function canBeNil(type: ElementType): boolean {
	if (!('complex' in type)) return true;
	const { complex } = type;
	return !complex.isAbstract && attributesOf(complex).every(({ isRequired }) => !isRequired);
}

function isList(type: ElementType): boolean {
	return 'complex' in type && rowOf(type.complex) !== undefined;
}
