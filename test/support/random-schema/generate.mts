/** Random schemas. */
import type { Dice } from './dice.mts';
import {
	textOf,
	type Attribute,
	type ComplexType,
	type Element,
	type ElementType,
	type Group,
	type Particle,
	type SchemaSpace,
	type Space,
	type UnsupportedType,
} from './model.mts';
import { builtInType, restrictedType, type SimpleType } from './simple.mts';

/** What the schemas define globally, besides the elements of the operation. */
export interface Definitions {
	/** Whether local elements and attributes of a schema are qualified. */
	readonly qualified: Readonly<Record<SchemaSpace, { elements: boolean; attributes: boolean }>>;
	readonly simpleTypes: Array<SimpleType & { readonly space: SchemaSpace }>;
	readonly types: ComplexType[];
	readonly elements: Array<Element & { readonly space: SchemaSpace }>;
	readonly attributes: Array<Attribute & { readonly space: SchemaSpace }>;
	readonly unsupported: UnsupportedType[];
}

/** A random operation. */
export interface Schema {
	readonly definitions: Definitions;
	readonly request: ComplexType;
	readonly response: ComplexType;
}

const NAMES = ['Id', 'Code', 'Period', 'Waarde', 'x.y-z_', 'Größe', 'N', 'Start'];

/** Names that every object has a property of. */
const INHERITED = ['toString', 'valueOf', 'hasOwnProperty', 'length'];

/** A family that may require no type that has a name. */
const INNERMOST = 99;

/** How deep anonymous types are nested. */
const MAX_LEVEL = 2;

/** Where an element or group stands. */
interface Place {
	readonly space: SchemaSpace;
	/** A type that contains itself, or an earlier type, must be able to end. */
	readonly family: number;
	/** Of anonymous types. */
	readonly level: number;
}

export class Generator {
	readonly #definitions: Definitions;
	/** Each of them occurs once, so that no type has two elements of one name. */
	readonly #unused = {
		names: [...INHERITED],
		elements: [] as Element[],
		attributes: [] as Attribute[],
	};
	#count = 0;

	constructor(private readonly dice: Dice) {
		const qualified = (): { elements: boolean; attributes: boolean } => ({
			elements: dice.chance(60),
			attributes: dice.chance(30),
		});
		this.#definitions = {
			qualified: { a: qualified(), b: qualified() },
			simpleTypes: [],
			types: [],
			elements: [],
			attributes: [],
			unsupported: [],
		};
	}

	schema(): Schema {
		const { dice } = this;
		const { simpleTypes, types, unsupported } = this.#definitions;
		for (let i = dice.number(0, 3); i > 0; i--) simpleTypes.push(this.#namedSimpleType());
		// Later types first: earlier ones may require them.
		for (let family = dice.number(1, 4); family > 0; family--) this.#family(family);
		for (let i = dice.number(0, 3); i > 0; i--) this.#addGlobalElement();
		for (let i = dice.number(0, 2); i > 0; i--) this.#addGlobalAttribute();
		if (dice.chance(70)) {
			const kinds = ['any order', 'nested group', 'repeated group', 'several choices'] as const;
			unsupported.push({ kind: dice.pick(kinds), space: this.#space() });
		}
		// Fill in the types only now, so that they can be recursive.
		for (const type of types.filter(({ base }) => base === undefined)) this.#fill(type);
		return {
			definitions: this.#definitions,
			request: this.#wrapper(),
			response: this.#wrapper(),
		};
	}

	/** Takes one of those that do not occur yet, with this probability in percent. */
	#take<T>(unused: T[], percent: number): T | undefined {
		if (unused.length === 0 || !this.dice.chance(percent)) return undefined;
		return unused.splice(this.dice.number(0, unused.length - 1), 1)[0];
	}

	#wrapper(): ComplexType {
		const type = this.#emptyType('a', undefined, 0);
		type.content = this.#group({ space: 'a', family: 0, level: 0 });
		return type;
	}

	#space(): SchemaSpace {
		return this.dice.chance(60) ? 'a' : 'b';
	}

	#name(prefix: string): string {
		return `${prefix}${++this.#count}`;
	}

	#namedSimpleType(): SimpleType & { readonly space: SchemaSpace } {
		const space = this.#space();
		return { ...restrictedType(this.dice), name: `${space}:${this.#name('S')}`, space };
	}

	#emptyType(
		space: SchemaSpace,
		name: string | undefined,
		family: number,
		base?: ComplexType,
	): ComplexType {
		const hasText = base === undefined && name !== undefined && this.dice.chance(15);
		return {
			name,
			space,
			base,
			isAbstract: false,
			family,
			attributes: [],
			text: hasText ? this.#simple(true) : undefined,
			content: undefined,
			derived: [],
		};
	}

	/** Adds a type and types derived from it. */
	#family(family: number): void {
		const { dice } = this;
		const root = this.#emptyType(this.#space(), this.#name('T'), family);
		const members = [root];
		for (let i = dice.chance(50) ? dice.number(1, 3) : 0; i > 0; i--) {
			const base = dice.pick(members);
			const space = this.#space();
			// Two types may have the same name in different namespaces.
			const isSame = members.every((member) => member.space !== space) && dice.chance(70);
			const name = isSame ? root.name : this.#name('T');
			const member = this.#emptyType(space, name, family, base);
			base.derived.push(member);
			members.push(member);
		}
		if (root.derived.length > 0 && dice.chance(30)) {
			Object.assign(root, { isAbstract: true });
		}
		this.#definitions.types.push(...members);
	}

	/** Fills in a type, then the types derived from it. */
	#fill(type: ComplexType): void {
		const { dice } = this;
		const { space, family } = type;
		if (textOf(type) === undefined && dice.chance(90)) {
			const level = type.derived.length > 0 || type.base !== undefined ? 1 : 0;
			type.content = this.#group({ space, family, level });
			// A list now and then.
			if (type.base === undefined && type.derived.length === 0 && dice.chance(45)) {
				type.content = this.#listContent(type);
			}
		}
		this.#addAttributes(type);
		for (const derived of type.derived) this.#fill(derived);
	}

	#listContent({ space, family }: ComplexType): Group {
		const row = this.#element({ space, family, level: MAX_LEVEL });
		const isNillable = row.isReference ? row.isNillable : this.dice.chance(60);
		const often = { min: 0, max: this.dice.pick([3, Infinity]) };
		const children = [{ ...row, isNillable, ...often }];
		return { kind: 'sequence', min: 1, max: 1, children };
	}

	#addAttributes(type: ComplexType): void {
		const { dice } = this;
		const { space, attributes } = type;
		for (let i = dice.number(0, 5) - 3; i > 0; i--) attributes.push(this.#attribute(space));
	}

	#attribute(space: SchemaSpace): Attribute {
		const { dice } = this;
		const isRequired = dice.chance(40);
		const global = this.#take(this.#unused.attributes, 30);
		if (global !== undefined) return { ...global, isRequired };
		const isQualified = this.#definitions.qualified[space].attributes;
		return {
			name: this.#name(dice.pick(['code', 'lang', 'unit-'])),
			space: isQualified ? space : '',
			type: this.#simple(),
			isRequired,
			isReference: false,
		};
	}

	#addGlobalAttribute(): void {
		const [name, type, space] = [this.#name('global'), this.#simple(), this.#space()];
		const global = { name, space, type, isRequired: false, isReference: true };
		this.#definitions.attributes.push(global);
		this.#unused.attributes.push(global);
	}

	#simple(isNamed = false): SimpleType {
		const { simpleTypes } = this.#definitions;
		if (simpleTypes.length > 0 && this.dice.chance(25)) return this.dice.pick(simpleTypes);
		return !isNamed && this.dice.chance(30) ? restrictedType(this.dice) : builtInType(this.dice);
	}

	#group(place: Place): Group {
		const { dice } = this;
		const { level } = place;
		// A type has one choice, so none that is extended has one.
		if (level === 0 && dice.chance(15)) return this.#choice(place);
		const children: Particle[] = this.#elements(place, 0);
		const group: Group = { kind: 'sequence', min: 1, max: 1, children };
		if (level === 0 && dice.chance(20)) {
			children.splice(dice.number(0, children.length), 0, this.#choice(place));
		}
		// Elsewhere the schema would be ambiguous.
		const last = children.at(-1);
		const isAnyAllowed =
			last === undefined || (last.kind === 'element' && last.min === 1 && last.max === 1);
		if (level === 0 && isAnyAllowed && dice.chance(15)) children.push({ kind: 'any' });
		return group;
	}

	#elements(place: Place, min: number): Element[] {
		return Array.from({ length: this.dice.number(min, 5) }, () => this.#element(place));
	}

	#choice(place: Place): Group {
		const { dice } = this;
		const children = this.#elements(place, 2);
		if (!dice.chance(30)) {
			return { kind: 'choice', min: dice.number(0, 1), max: 1, children };
		}
		const once = children.map((child) => ({ ...child, min: 1, max: 1 }));
		return { kind: 'choice', min: 0, max: Infinity, children: once };
	}

	#addGlobalElement(): void {
		const [space, name] = [this.#space(), this.#name('Global')];
		const element = this.#element({ space, family: INNERMOST, level: MAX_LEVEL });
		const global = { ...element, name, space, min: 1, max: 1, isReference: true };
		this.#definitions.elements.push(global);
		this.#unused.elements.push(global);
	}

	#element(place: Place): Element {
		const { dice } = this;
		const { space, family } = place;
		const min = dice.chance(60) ? 1 : 0;
		const max = dice.chance(20) ? dice.pick([2, 4, Infinity]) : 1;
		const global = this.#take(this.#unused.elements, 20);
		if (global !== undefined) {
			return { ...global, min: canEnd(global.type, family) ? min : 0, max };
		}
		const name = this.#take(this.#unused.names, 4) ?? this.#name(dice.pick(NAMES));
		const { elements: isUsual } = this.#definitions.qualified[space];
		const isQualified = dice.chance(10) ? dice.chance(50) : isUsual;
		const own: Space = isQualified ? space : '';
		const type = this.#elementType(place, own);
		const canBeNillable = !('unsupported' in type);
		return {
			kind: 'element',
			name,
			space: own,
			type,
			isNillable: canBeNillable && dice.chance(25),
			min: canEnd(type, family) ? min : 0,
			max,
			isReference: false,
		};
	}

	/** @param around namespace of the element */
	#elementType({ space, family, level }: Place, around: Space): ElementType {
		const { dice } = this;
		const { types, qualified } = this.#definitions;
		// What is sent as it is has the namespace of the element around it.
		const unsupported = this.#definitions.unsupported.filter(
			({ space: own }) => (qualified[own].elements ? own : '') === around,
		);
		if (types.length > 0 && dice.chance(40)) return { complex: dice.pick(types) };
		if (dice.chance(6)) return { any: true };
		if (unsupported.length > 0 && dice.chance(15)) return { unsupported: dice.pick(unsupported) };
		if (level < MAX_LEVEL && dice.chance(15)) {
			const type = this.#emptyType(space, undefined, family);
			type.content = this.#group({ space, family, level: level + 1 });
			this.#addAttributes(type);
			return { complex: type };
		}
		return { simple: this.#simple() };
	}
}

/** Whether values of a type can always end, where it is required in a type of a family. */
function canEnd(type: ElementType, family: number): boolean {
	return !('complex' in type) || type.complex.name === undefined || type.complex.family > family;
}
