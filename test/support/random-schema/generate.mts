/** Random schemas, and values of them. */
import { escapeAttribute } from '../../../dev/sandbox/xml.mts';
import type { Dice } from './dice.mts';
import { ComplexType, elementXml, type Attribute, type Element, type Part } from './records.mts';
import { builtInType, enumeration, restrictedType, type SimpleType } from './simple.mts';
import {
	anyType,
	namespaces,
	simple,
	unsupported,
	unsupportedType,
	type SchemaSpace,
	type Space,
	type Type,
	type UnsupportedKind,
} from './types.mts';

const XSD = 'http://www.w3.org/2001/XMLSchema';

const NAMES = ['Id', 'Code', 'Period', 'Waarde', 'x.y-z_', 'Größe', 'N', 'Start'];

/** How deep anonymous types are nested. */
const MAX_LEVEL = 2;

export class Generator {
	readonly request: ComplexType;
	readonly response: ComplexType;
	readonly #simpleTypes: SimpleType[] = [];
	/** Whether local elements and attributes of a schema are qualified. */
	readonly #qualified: Readonly<Record<SchemaSpace, { elements: boolean; attributes: boolean }>>;
	readonly #types: ComplexType[] = [];
	readonly #elements: Array<Element & { space: SchemaSpace }> = [];
	readonly #attributes: Array<Attribute & { space: SchemaSpace }> = [];
	/** Each of them occurs once, so that no type has two elements of one name. */
	readonly #unused = {
		/** Names that every object has a property of. */
		names: ['toString', 'valueOf', 'hasOwnProperty', 'length'],
		elements: [] as Element[],
		attributes: [] as Attribute[],
	};
	#count = 0;

	constructor(private readonly dice: Dice) {
		const qualified = () => ({ elements: dice.chance(60), attributes: dice.chance(30) });
		this.#qualified = { a: qualified(), b: qualified() };
		for (let i = dice.number(0, 3); i > 0; i--) {
			const name = `${this.#space()}:${this.#name('S')}`;
			this.#simpleTypes.push({ ...restrictedType(dice), name });
		}
		this.#simpleTypes.push({ ...enumeration, name: 'b:Some' });
		for (let i = dice.number(1, 4); i > 0; i--) this.#addFamily();
		for (let i = dice.number(0, 3); i > 0; i--) this.#addGlobalElement();
		for (let i = dice.number(0, 2); i > 0; i--) this.#addGlobalAttribute();
		// Fill in the types only now, so that they can be recursive.
		for (const type of this.#types) this.#fill(type);
		this.request = new ComplexType('a');
		this.response = new ComplexType('a');
		for (const type of [this.request, this.response]) type.parts.push(...this.#partsOf('a', 0));
	}

	/** Returns a schema; the one of the service defines the two elements of an operation. */
	schema(space: SchemaSpace, operation: string): string {
		const { elements, attributes } = this.#qualified[space];
		const own = <T extends { readonly space: string }>(all: readonly T[]): readonly T[] =>
			all.filter((one) => one.space === space);
		const wrapper = (name: string, type: ComplexType): string =>
			`<s:element name="${name}">${type.definition()}</s:element>`;
		const content = [
			`<s:import namespace="${escapeAttribute(namespaces[space === 'a' ? 'b' : 'a'])}"/>`,
			...this.#simpleTypes.map(({ name = '', definition }) => {
				const [prefix, local] = name.split(':');
				return prefix === space ? `<s:simpleType name="${local}">${definition}</s:simpleType>` : '';
			}),
			...own(this.#types).map((type) => type.definition()),
			...own(this.#elements).map((element) => elementXml(element, 'global')),
			...own(this.#attributes).map(({ name, type }) => attributeXml(`name="${name}"`, type)),
			...(space === 'a'
				? [
						wrapper(operation, this.request),
						wrapper(`${operation}Response`, this.response),
						'<s:element name="AuthHeaderWithDomain" type="s:string"/>',
					]
				: []),
		];
		const prefixes = `xmlns:s="${XSD}" xmlns:a="${namespaces.a}" xmlns:b="${escapeAttribute(namespaces.b)}"`;
		const forms =
			(elements ? ' elementFormDefault="qualified"' : '') +
			(attributes ? ' attributeFormDefault="qualified"' : '');
		const target = escapeAttribute(namespaces[space]);
		return `<s:schema ${prefixes} targetNamespace="${target}"${forms}>${content.join('\n')}</s:schema>`;
	}

	/** Takes one of those that do not occur yet, with this probability in percent. */
	#take<T>(unused: T[], percent: number): T | undefined {
		if (unused.length === 0 || !this.dice.chance(percent)) return undefined;
		return unused.splice(this.dice.number(0, unused.length - 1), 1)[0];
	}

	#space(): SchemaSpace {
		return this.dice.chance(60) ? 'a' : 'b';
	}

	#name(prefix: string): string {
		return `${prefix}${++this.#count}`;
	}

	/** Adds a type and types derived from it. */
	#addFamily(): void {
		const { dice } = this;
		const root = new ComplexType(this.#space(), this.#name('T'));
		if (dice.chance(15)) root.text = this.#simple(true);
		const members = [root];
		for (let i = dice.chance(50) ? dice.number(1, 3) : 0; i > 0; i--) {
			const base = dice.pick(members);
			const space = this.#space();
			// Two types may have the same name in different namespaces.
			const isSame = members.every((member) => member.space !== space) && dice.chance(70);
			const member = new ComplexType(space, isSame ? root.local : this.#name('T'), base);
			base.derived.push(member);
			members.push(member);
		}
		root.isAbstract = root.derived.length > 0 && dice.chance(30);
		this.#types.push(...members);
	}

	#fill(type: ComplexType): void {
		const { dice } = this;
		const { space, base, derived } = type;
		const isAlone = base === undefined && derived.length === 0;
		if (type.textType === undefined) {
			if (isAlone && dice.chance(40)) {
				const row = { ...this.#element(space, MAX_LEVEL), min: 0, max: dice.pick([3, Infinity]) };
				type.parts.push({ kind: 'element', elements: [row] });
			} else {
				type.parts.push(...this.#partsOf(space, isAlone ? 0 : 1));
				type.isMixed = isAlone && type.parts.length > 0 && dice.chance(20);
			}
		}
		for (let i = dice.number(0, 5) - 3; i > 0; i--) type.attributes.push(this.#attribute(space));
	}

	/** @param level of anonymous types; a type that is extended has no choice, and no place of others */
	#partsOf(space: SchemaSpace, level: number): Part[] {
		const { dice } = this;
		const elements = (min: number): Element[] =>
			Array.from({ length: dice.number(min, 5) }, () => this.#element(space, level));
		const parts: Part[] = elements(0).map((element) => ({ kind: 'element', elements: [element] }));
		if (level > 0) return parts;
		if (dice.chance(35)) {
			const once = elements(2).map((element) => ({ ...element, min: 1, max: 1 }));
			const choice: Part = dice.chance(30)
				? { kind: 'repeated choice', elements: once }
				: { kind: 'choice', elements: elements(2), min: dice.number(0, 1) };
			parts.splice(dice.number(0, parts.length), 0, choice);
		}
		// Elsewhere the schema would be ambiguous.
		const last = parts.at(-1);
		const isFixed =
			last?.kind === 'element' && last.elements[0].min === 1 && last.elements[0].max === 1;
		if ((last === undefined || isFixed) && dice.chance(15))
			parts.push({ kind: 'any', elements: [] });
		return parts;
	}

	#simple(isNamed = false): SimpleType {
		const { dice } = this;
		const named = this.#simpleTypes;
		if (named.length > 0 && dice.chance(25)) return dice.pick(named);
		return !isNamed && dice.chance(30) ? restrictedType(dice) : builtInType(dice);
	}

	#attribute(space: SchemaSpace): Attribute {
		const { dice } = this;
		const isRequired = dice.chance(40);
		const use = isRequired ? ' use="required"' : '';
		const global = this.#take(this.#unused.attributes, 30);
		if (global !== undefined) {
			return {
				...global,
				isRequired,
				xml: `<s:attribute ref="${global.space}:${global.name}"${use}/>`,
			};
		}
		const [name, type] = [this.#name(dice.pick(['code', 'lang', 'unit-'])), this.#simple()];
		const own = this.#qualified[space].attributes ? space : '';
		return { name, space: own, type, isRequired, xml: attributeXml(`name="${name}"${use}`, type) };
	}

	#addGlobalAttribute(): void {
		const space = this.#space();
		const own = { name: this.#name('global'), type: this.#simple(), isRequired: false, xml: '' };
		this.#attributes.push({ ...own, space });
		this.#unused.attributes.push({ ...own, space });
	}

	#addGlobalElement(): void {
		const [space, name] = [this.#space(), this.#name('Global')];
		// A global element is always qualified, whatever the default of its schema is.
		const type = this.#elementType(space, space, MAX_LEVEL);
		const own = this.#element(space, MAX_LEVEL);
		const global = { ...own, name, space, type, isReference: true };
		this.#elements.push(global);
		this.#unused.elements.push(global);
	}

	#element(space: SchemaSpace, level: number): Element {
		const { dice } = this;
		const max = dice.chance(20) ? dice.pick([2, 4, Infinity]) : 1;
		const global = this.#take(this.#unused.elements, 20);
		// A type that contains itself must be able to end.
		const min = ({ name }: Type): number =>
			name !== undefined && this.#types.some((type) => type.name === name) ? 0 : dice.number(0, 1);
		if (global !== undefined) return { ...global, min: min(global.type), max };
		const usual = this.#qualified[space].elements;
		const isQualified = dice.chance(10) ? !usual : usual;
		const own: Space = isQualified ? space : '';
		const type = this.#elementType(space, own, level);
		return {
			name: this.#take(this.#unused.names, 4) ?? this.#name(dice.pick(NAMES)),
			space: own,
			type,
			isNillable: dice.chance(25),
			min: min(type),
			max,
			isReference: false,
			form: isQualified === usual ? '' : ` form="${isQualified ? '' : 'un'}qualified"`,
		};
	}

	/** @param around namespace of the element */
	#elementType(space: SchemaSpace, around: Space, level: number): Type {
		const { dice } = this;
		if (this.#types.length > 0 && dice.chance(40)) return dice.pick(this.#types);
		if (dice.chance(6)) return anyType;
		// What is sent as it is has the namespace of the element around it.
		const inner = this.#qualified[space].elements ? space : '';
		if (inner === around && dice.chance(6)) {
			return unsupportedType(dice.pick(Object.keys(unsupported) as UnsupportedKind[]));
		}
		if (level >= MAX_LEVEL || !dice.chance(15)) return simple(this.#simple());
		const type = new ComplexType(space);
		type.parts.push(...this.#partsOf(space, level + 1));
		for (let i = dice.number(0, 4) - 3; i > 0; i--) type.attributes.push(this.#attribute(space));
		return type;
	}
}

function attributeXml(head: string, { name, definition }: SimpleType): string {
	return name === undefined
		? `<s:attribute ${head}><s:simpleType>${definition}</s:simpleType></s:attribute>`
		: `<s:attribute ${head} type="${name}"/>`;
}
