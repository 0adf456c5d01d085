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
	type Occurring,
	type Particle,
	type Space,
	type Wildcard,
} from './model.mts';
import { NO_TEXT, type SimpleType, type SimpleValue } from './simple.mts';
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

/** A value that the schema does not allow at a place of a request; `undefined` if one is missing. */
export interface Mistake {
	readonly path: ReadonlyArray<number | string>;
	readonly value: unknown;
}

/** A value as JSON and as XML. */
export interface Value {
	/** What a request is made of. */
	readonly given: unknown;
	/** What an answer is read as. */
	readonly read: unknown;
	readonly content: Content;
	readonly mistakes: readonly Mistake[];
}

type Json = Record<string, unknown>;

/** The fields of a record, while they are added. */
interface Fields {
	readonly given: Json;
	readonly read: Json;
	readonly mistakes: Mistake[];
}

/** A value of a complex type. */
export interface RecordValue extends Value, Fields {
	readonly given: Json;
	readonly read: Json;
	readonly mistakes: Mistake[];
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

const NIL: Value = { given: null, read: null, content: { ...EMPTY, isNil: true }, mistakes: [] };

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

	#simple(type: SimpleType): Value {
		this.kinds.add(type.kind);
		if (type.name?.startsWith('s:') === false) this.kinds.add('named simple type');
		const { given, read, text, answer } = type.value(this.dice);
		const mistakes = type.wrong.map((value) => ({ path: [], value }));
		return { given, read, content: { ...EMPTY, text, answer }, mistakes };
	}

	#ofType(type: ElementType, space: Space, level: number): Value {
		if ('simple' in type) return this.#simple(type.simple);
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
		const content = { ...EMPTY, children, answered: children };
		return { given, read: given, content, mistakes: [] };
	}

	#any(space: Space): Value {
		const { dice } = this;
		this.kinds.add('any type');
		const typed = (type: string, given: unknown, text = String(given)): Value => {
			return { given, read: given, content: { ...EMPTY, type, text, answer: text }, mistakes: [] };
		};
		/** A type that JSON has not. */
		const named = (type: string, name: string, text: string): Value =>
			typed(type, { '@xsi:type': name, '#text': text }, text);
		const { simpleTypes } = this.definitions;
		switch (dice.number(0, 7)) {
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
			case 5:
				return named('s:dateTime', 'dateTime', '2026-11-22T10:00:00Z');
			case 6:
				if (simpleTypes.length > 0) {
					const type = dice.pick(simpleTypes);
					const [, local] = (type.name ?? '').split(':');
					const name = `{${namespaces[type.space]}}${local}`;
					return named(type.name ?? '', name, type.value(dice).text);
				}
		}
		return named('s:decimal', 'decimal', '1.50');
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
		const { given, read, content, mistakes } = this.#fields(type, space, level);
		const rows = (values: Json): unknown[] =>
			(Object.hasOwn(values, row.name) ? values[row.name] : []) as unknown[];
		if (rows(read).includes(null)) this.kinds.add('row that is nil');
		// Whether the list may be absent depends on its element.
		const inRows = mistakes.filter(({ path, value }) => path.length > 1 || value !== undefined);
		const moved = inRows.map(({ path, value }) => ({ path: path.slice(1), value }));
		return { given: rows(given), read: rows(read), content, mistakes: moved };
	}

	#record(declared: ComplexType, space: Space, level: number): RecordValue {
		const { dice } = this;
		const types = concreteTypes(declared);
		const type = this.#isEnough(level) ? (types[0] as ComplexType) : dice.pick(types);
		const text = textOf(type);
		const value = text === undefined ? this.#fields(type, space, level) : this.#text(text);
		if (type.base !== undefined) this.kinds.add('extension');
		const content = { ...value.content, attributes: this.#attributes(type, value) };
		const { given, read, mistakes } = value;
		if (type === declared) {
			if (types.length > 1 && dice.chance(20)) given['@xsi:type'] = this.#typeName(declared, type);
			return { ...value, content };
		}
		this.kinds.add(declared.isAbstract ? 'abstract type' : 'derived type');
		if (declared.isAbstract) mistakes.push({ path: ['@xsi:type'], value: undefined });
		given['@xsi:type'] = read['@xsi:type'] = this.#typeName(declared, type);
		return { ...value, content: { ...content, type: `${type.space}:${type.name}` } };
	}

	/** The text of an element that has attributes. */
	#text(type: SimpleType): RecordValue {
		this.kinds.add('text with attributes');
		const { given, read, content, mistakes } = this.#simple(type);
		const isEmptyAllowed = type.wrong === NO_TEXT || typeof given === 'string';
		return {
			given: { '#text': given },
			read: { '#text': read },
			content,
			mistakes: [
				...within('#text', mistakes),
				...(isEmptyAllowed ? [] : [{ path: ['#text'], value: undefined }]),
			],
		};
	}

	/** Two types of the same name are told apart by the namespace that is not the service's. */
	#typeName(declared: ComplexType, type: ComplexType): string {
		const same = concreteTypes(declared).filter(({ name }) => name === type.name);
		if (same.length === 1 || type.space === 'a') return type.name ?? '';
		this.kinds.add('types of the same name');
		return `{${namespaces[type.space]}}${type.name}`;
	}

	/** Adds the values of attributes to those of a record. */
	#attributes(type: ComplexType, { given, read, mistakes }: Fields): Content['attributes'] {
		return attributesOf(type).flatMap((attribute) => {
			const { name, space, isRequired } = attribute;
			if (!isRequired && this.dice.chance(40)) return [];
			this.kinds.add('attribute');
			if (space !== '') this.kinds.add('qualified attribute');
			if (attribute.isReference) this.kinds.add('reference to an attribute');
			const value = this.#simple(attribute.type);
			given[`@${name}`] = value.given;
			read[`@${name}`] = value.read;
			mistakes.push(...within(`@${name}`, value.mistakes));
			if (isRequired) mistakes.push({ path: [`@${name}`], value: undefined });
			return [{ name, space, text: value.content.text, answer: value.content.answer }];
		});
	}

	/** @param space namespace of the element around the fields */
	#fields(type: ComplexType, space: Space, level: number): RecordValue {
		const contents = contentsOf(type);
		const emitted: Emitted[] = [];
		for (const content of contents) this.#emit(content, space, level, emitted);

		const fields: Fields = { given: {}, read: {}, mistakes: [] };
		const sent: Emitted[] = [];
		for (const occurring of elementsOf(contents)) {
			const own = emitted.filter(({ particle }) => particle === occurring.particle);
			sent.push(...own);
			if (occurring.particle.kind === 'any') {
				for (const { name, value } of own) {
					fields.given[name] = value.given;
					fields.read[name] = value.read;
				}
			} else if (occurring.max > 1) {
				this.#addRows(occurring.particle, occurring, own, fields);
			} else {
				this.#addField(occurring.particle, occurring, own[0]?.value, fields);
			}
		}
		for (const content of contents) {
			fields.mistakes.push(...this.#otherBranches(content, fields.given));
		}
		const nodesOf = (all: readonly Emitted[]): Node[] =>
			all.map(({ particle, name, value }) => ({
				...value.content,
				name,
				space: particle.kind === 'any' ? space : particle.space,
			}));
		const content = { ...EMPTY, children: nodesOf(sent), answered: nodesOf(emitted) };
		return { ...fields, content };
	}

	#addRows(
		{ name }: Element,
		{ max, isOptional }: Occurring,
		own: readonly Emitted[],
		{ given, read, mistakes }: Fields,
	): void {
		if (own.length === 0) {
			if (this.dice.chance(20)) given[name] = [];
			return;
		}
		this.kinds.add('repeated element');
		const rows = own.map(({ value }) => value.given);
		given[name] = rows;
		read[name] = own.map(({ value }) => value.read);
		own.forEach(({ value }, i) => mistakes.push(...within(name, within(i, value.mistakes))));
		const wrong: unknown[] = isOptional ? [] : [undefined, []];
		if (max < Infinity) wrong.push(Array.from({ length: max + 1 }, () => rows[0]));
		mistakes.push(...wrong.map((value) => ({ path: [name], value })));
	}

	#addField(
		{ name, isNillable }: Element,
		{ isOptional }: Occurring,
		value: Value | undefined,
		{ given, read, mistakes }: Fields,
	): void {
		if (value === undefined) {
			if (!isNillable && this.dice.chance(10)) given[name] = null;
			return;
		}
		read[name] = value.read;
		// A required element that is not given is nil.
		if (!isOptional && value.content.isNil && this.dice.chance(50)) {
			this.kinds.add('required element that is not given');
			return;
		}
		given[name] = value.given;
		mistakes.push(...within(name, value.mistakes));
		if (!isOptional && !isNillable) mistakes.push({ path: [name], value: undefined });
	}

	/** Elements of a choice that are given besides those of another branch. */
	#otherBranches(group: Particle, given: Json): Mistake[] {
		if (group.kind === 'any' || group.kind === 'element' || group.max > 1) return [];
		const { kind, children } = group;
		if (kind !== 'choice') return children.flatMap((child) => this.#otherBranches(child, given));
		const isGiven = (branch: Particle): boolean =>
			elementsOf([branch]).some(({ particle, max }) => {
				if (particle.kind === 'any') return false;
				const value = Object.hasOwn(given, particle.name) ? given[particle.name] : undefined;
				if (value === undefined || value === null) return value === null && particle.isNillable;
				return max === 1 || (value as unknown[]).length > 0;
			});
		if (!children.some(isGiven)) return [];
		return elementsOf(children.filter((branch) => !isGiven(branch))).flatMap(
			({ particle, max }) => {
				if (particle.kind === 'any' || !('simple' in particle.type)) return [];
				const value = particle.type.simple.value(this.dice).given;
				return [{ path: [particle.name], value: max > 1 ? [value] : value }];
			},
		);
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
		const { kind, children, max } = group;
		const times = this.#times(group, level);
		if (times > 0 && children.length > 0) {
			if (kind !== 'sequence') this.kinds.add(max > 1 ? `repeated ${kind}` : kind);
			else if (max > 1) this.kinds.add('repeated sequence');
		}
		for (let i = 0; i < times; i++) {
			const chosen =
				kind === 'choice' && children.length > 0 ? [this.dice.pick(children)] : children;
			for (const child of chosen) this.#emit(child, space, level, emitted);
		}
	}

	#emitElement(element: Element, level: number, emitted: Emitted[]): void {
		const { type, name, space, isNillable, isReference } = element;
		for (let i = this.#times(element, level); i > 0; i--) {
			this.#elements++;
			if (isReference) this.kinds.add('reference to an element');
			if (space === '') this.kinds.add('unqualified element');
			if (space === 'b') this.kinds.add('element of another namespace');
			if (name in {}) this.kinds.add('inherited name');
			if (level > 3 && 'complex' in type) this.kinds.add('deep record');
			const isNil = isNillable && canBeNil(type) && this.dice.chance(25);
			if (isNil) this.kinds.add('nil');
			const value = isNil ? NIL : this.#ofType(type, space, level + 1);
			emitted.push({ particle: element, name, value });
		}
	}

	/** Emits elements in the place of `xs:any`. */
	#emitOthers(particle: Wildcard, space: Space, emitted: Emitted[]): void {
		const { dice } = this;
		for (let i = dice.number(0, 2); i > 0; i--) {
			this.kinds.add('any element');
			const text = dice.of(xmlText);
			const content = { ...EMPTY, text, answer: text };
			const value = dice.chance(30)
				? this.#children(['Inner'], space)
				: { given: text, read: text, content, mistakes: [] };
			emitted.push({ particle, name: `Other${i}`, value });
		}
	}
}

/** Mistakes within a field or row. */
function within(place: number | string, mistakes: readonly Mistake[]): Mistake[] {
	return mistakes.map(({ path, value }) => ({ path: [place, ...path], value }));
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
