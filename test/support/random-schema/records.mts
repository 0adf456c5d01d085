/** Random complex types: records, lists and texts with attributes. */
import { fieldsOf, isEnough } from './content.mts';
import type { SimpleType } from './simple.mts';
import {
	namespaces,
	NOTHING,
	simpleValue,
	type Context,
	type SchemaSpace,
	type Space,
	type Type,
	type Value,
	type Written,
} from './types.mts';

export interface Attribute {
	readonly name: string;
	readonly space: Space;
	readonly type: SimpleType;
	readonly isRequired: boolean;
	/** Its declaration in a type. */
	readonly xml: string;
}

export interface Element {
	readonly name: string;
	readonly space: Space;
	readonly type: Type;
	readonly isNillable: boolean;
	readonly min: number;
	readonly max: number;
	readonly isReference: boolean;
	/** Its `form`, if that is not the usual one of its schema. */
	readonly form: string;
}

/** A part of a sequence: an element, a choice of some, or the place of any (`xs:any`). */
export type Part =
	| { readonly kind: 'element'; readonly elements: readonly [Element] }
	| { readonly kind: 'choice'; readonly elements: readonly Element[]; readonly min: number }
	| { readonly kind: 'repeated choice'; readonly elements: readonly Element[] }
	| { readonly kind: 'any'; readonly elements: readonly [] };

export type Json = Record<string, unknown>;

function occurs(min: number, max: number): string {
	const most = max === Infinity ? 'unbounded' : max;
	return `${min === 1 ? '' : ` minOccurs="${min}"`}${max === 1 ? '' : ` maxOccurs="${most}"`}`;
}

/** @param often how often it occurs; `undefined` for a global element */
export function elementXml(element: Element, often = occurs(element.min, element.max)): string {
	const { name, space, type, isNillable, isReference, form } = element;
	if (isReference && often !== 'global') return `<s:element ref="${space}:${name}"${often}/>`;
	const nillable = isNillable ? ' nillable="true"' : '';
	const named = type.name === undefined ? '' : ` type="${type.name}"`;
	const head = `name="${name}"${nillable}${often === 'global' ? '' : form + often}${named}`;
	return named === ''
		? `<s:element ${head}>${type.definition()}</s:element>`
		: `<s:element ${head}/>`;
}

function partXml(part: Part): string {
	if (part.kind === 'any') {
		return '<s:any minOccurs="0" maxOccurs="unbounded" processContents="skip"/>';
	}
	const elements = part.elements.map((element) => elementXml(element)).join('');
	if (part.kind === 'element') return elements;
	const often = part.kind === 'choice' ? occurs(part.min, 1) : occurs(0, Infinity);
	return `<s:choice${often}>${elements}</s:choice>`;
}

export class ComplexType implements Type {
	readonly name: string | undefined;
	/** Without those of the base, as all that follows. */
	readonly attributes: Attribute[] = [];
	readonly parts: Part[] = [];
	readonly derived: ComplexType[] = [];
	/** Type of the text of an element that has attributes. */
	text: SimpleType | undefined;
	isAbstract = false;
	isMixed = false;

	constructor(
		readonly space: SchemaSpace,
		readonly local?: string,
		readonly base?: ComplexType,
	) {
		this.name = local && `${space}:${local}`;
	}

	get allAttributes(): readonly Attribute[] {
		return [...(this.base?.allAttributes ?? []), ...this.attributes];
	}

	get allParts(): readonly Part[] {
		return [...(this.base?.allParts ?? []), ...this.parts];
	}

	get textType(): SimpleType | undefined {
		return this.text ?? this.base?.textType;
	}

	/** Whether there is nothing beside its elements or its text, and no other type in its place. */
	get #isPlain(): boolean {
		return this.allAttributes.length === 0 && this.derived.length === 0 && !this.isAbstract;
	}

	/** The row of the list that the type is. */
	get row(): Element | undefined {
		const [part, ...others] = this.parts;
		if (!this.#isPlain || this.base || this.isMixed || others.length > 0) return undefined;
		return part?.kind === 'element' && part.elements[0].max > 1 ? part.elements[0] : undefined;
	}

	get isList(): boolean {
		return this.row !== undefined;
	}

	get canBeNil(): boolean {
		return !this.isAbstract && this.allAttributes.every(({ isRequired }) => !isRequired);
	}

	definition(): string {
		const { base, text, parts } = this;
		const sequence = `<s:sequence>${parts.map(partXml).join('')}</s:sequence>`;
		const isChoice = parts.length === 1 && parts[0]?.kind === 'choice';
		const elements = isChoice ? parts.map(partXml).join('') : sequence;
		const own =
			(parts.length === 0 ? '' : elements) + this.attributes.map(({ xml }) => xml).join('');
		const name = this.local === undefined ? '' : ` name="${this.local}"`;
		const head = `${name}${this.isAbstract ? ' abstract="true"' : ''}${this.isMixed ? ' mixed="true"' : ''}`;
		const from = text?.name ?? base?.name;
		const kind = this.textType ? 'simpleContent' : 'complexContent';
		const content = from
			? `<s:${kind}><s:extension base="${from}">${own}</s:extension></s:${kind}>`
			: own;
		return `<s:complexType${head}>${content}</s:complexType>`;
	}

	value(context: Context, space: Space, level: number): Value {
		const { row, textType } = this;
		if (row !== undefined) return this.#list(row, context, space, level);
		return textType && this.#isPlain
			? simpleValue(textType, context)
			: this.#record(context, space, level);
	}

	#list({ name }: Element, context: Context, space: Space, level: number): Value {
		context.kinds.add('list');
		const { given, read, ...written } = fieldsOf(this, context, space, level);
		const rows = (values: Json): unknown[] =>
			(Object.hasOwn(values, name) ? values[name] : []) as unknown[];
		if (rows(read).includes(null)) context.kinds.add('row that is nil');
		return { given: rows(given), read: rows(read), ...written };
	}

	/** The types that a value can have. */
	get #concrete(): readonly ComplexType[] {
		return [...(this.isAbstract ? [] : [this]), ...this.derived.flatMap((type) => type.#concrete)];
	}

	#record(context: Context, space: Space, level: number): Value {
		const { dice, kinds } = context;
		const types = this.#concrete;
		const type = isEnough(context, level) ? (types[0] as ComplexType) : dice.pick(types);
		if (type.base !== undefined) kinds.add('extension');
		const { given, read, sent, answer } =
			type.textType === undefined
				? fieldsOf(type, context, space, level)
				: type.#textValue(type.textType, context);
		const own = type.#attributeValues(context);
		const { name, isOther } = this.#nameOf(type, types, kinds);
		const attribute = isOther ? ` xsi:type="${type.name}"` : '';
		const named = isOther || (types.length > 1 && dice.chance(20)) ? { '@xsi:type': name } : {};
		const all = (outer: Written, inner: Written): Written => ({
			attributes: attribute + inner.attributes,
			content: outer.content,
		});
		return {
			given: { ...given, ...own.given, ...named },
			read: { ...read, ...own.read, ...(isOther && named) },
			sent: all(sent, own.sent),
			answer: all(answer, own.answer),
		};
	}

	/** Two types of the same name are told apart by the namespace that is not the service's. */
	#nameOf(type: ComplexType, types: readonly ComplexType[], kinds: Set<string>) {
		const isOther = type !== this;
		if (isOther) kinds.add(this.isAbstract ? 'abstract type' : 'derived type');
		const isUnique = types.filter(({ local }) => local === type.local).length === 1;
		if (isUnique || type.space === 'a') return { name: type.local, isOther };
		if (isOther) kinds.add('types of the same name');
		return { name: `{${namespaces[type.space]}}${type.local}`, isOther };
	}

	/** The text of an element that has attributes. */
	#textValue(type: SimpleType, context: Context): Value<Json> {
		context.kinds.add('text with attributes');
		const { given, read, ...written } = simpleValue(type, context);
		return { given: { '#text': given }, read: { '#text': read }, ...written };
	}

	#attributeValues(context: Context): Value<Json> {
		const given: Json = {};
		const read: Json = {};
		let [sent, answer] = ['', ''];
		for (const { name, space, type, isRequired } of this.allAttributes) {
			if (!isRequired && context.dice.chance(40)) continue;
			context.kinds.add(space === '' ? 'attribute' : 'qualified attribute');
			const value = simpleValue(type, context);
			const property = space === '' ? `@${name}` : `@{${namespaces[space]}}${name}`;
			given[property] = value.given;
			read[property] = value.read;
			const prefixed = space === '' ? name : `${space}:${name}`;
			const quoted = ({ content }: Written): string =>
				content.replaceAll('"', '&quot;').replaceAll('\t', '&#x9;').replaceAll('\n', '&#xA;');
			sent += ` ${prefixed}="${quoted(value.sent)}"`;
			answer += ` ${prefixed}="${quoted(value.answer)}"`;
		}
		return {
			given,
			read,
			sent: { ...NOTHING, attributes: sent },
			answer: { ...NOTHING, attributes: answer },
		};
	}
}
