/** Random schemas. */
import type { Dice } from './dice.mts';
import {
	attributesOf,
	elementsOf,
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
	readonly groups: Map<string, { readonly space: SchemaSpace; readonly group: Group }>;
	readonly attributeGroups: Map<
		string,
		{ readonly space: SchemaSpace; readonly attributes: readonly Attribute[] }
	>;
	readonly unsupported: UnsupportedType[];
}

/** A random operation. */
export interface Schema {
	readonly definitions: Definitions;
	readonly request: ComplexType;
	readonly response: ComplexType;
}

/** What is generated. */
export interface Features {
	/**
	 * Only what the client of the `soap` package writes correctly: one qualified namespace, sequences,
	 * derived types of one level, no null among the rows of a list.
	 */
	readonly isPlain: boolean;
}

const NAMES = ['Id', 'Code', 'Period', 'Waarde', 'x.y-z_', 'Größe', 'N', 'Start'];

/** Names that every object has a property of. */
const INHERITED = ['toString', 'valueOf', 'hasOwnProperty', 'length'];

/** A family that may require no type that has a name. */
const INNERMOST = 99;

/** How deep anonymous types are nested. */
const MAX_LEVEL = 2;

/** The names within one type. */
type Taken = Set<string>;

export class Generator {
	readonly #definitions: Definitions;
	#count = 0;

	constructor(
		private readonly dice: Dice,
		private readonly features: Features,
	) {
		const qualified = (): { elements: boolean; attributes: boolean } => ({
			elements: features.isPlain || dice.chance(60),
			attributes: !features.isPlain && dice.chance(30),
		});
		this.#definitions = {
			qualified: { a: qualified(), b: qualified() },
			simpleTypes: [],
			types: [],
			elements: [],
			attributes: [],
			groups: new Map(),
			attributeGroups: new Map(),
			unsupported: [],
		};
	}

	schema(): Schema {
		const { dice } = this;
		const { simpleTypes, types, elements, attributes, groups, unsupported } = this.#definitions;
		for (let i = dice.number(0, 3); i > 0; i--) simpleTypes.push(this.#namedSimpleType());
		// Later types first: earlier ones may require them.
		for (let family = dice.number(1, 4); family > 0; family--) this.#family(family);
		if (!this.features.isPlain) {
			for (let i = dice.number(0, 2); i > 0; i--) elements.push(this.#globalElement());
			for (let i = dice.number(0, 1); i > 0; i--) attributes.push(this.#globalAttribute());
			if (dice.chance(70)) {
				const kinds = ['mixed content', 'repeated group', 'same name twice'] as const;
				unsupported.push({ kind: dice.pick(kinds), space: this.#space() });
			}
			for (let i = dice.number(0, 2); i > 0; i--) {
				const space = this.#space();
				const group = this.#group(space, INNERMOST, 0, new Set(), false);
				if (group.children.length > 0) groups.set(this.#name('G'), { space, group });
			}
		}
		// Fill in the types only now, so that they can be recursive.
		for (const type of types.filter(({ base }) => base === undefined)) this.#fill(type, new Set());
		return {
			definitions: this.#definitions,
			request: this.#wrapper(),
			response: this.#wrapper(),
		};
	}

	#wrapper(): ComplexType {
		const type = this.#emptyType('a', undefined, 0);
		type.content = this.#group('a', 0, 0, new Set());
		return type;
	}

	#space(): SchemaSpace {
		return this.features.isPlain || this.dice.chance(60) ? 'a' : 'b';
	}

	#name(prefix: string): string {
		return `${prefix}${++this.#count}`;
	}

	#ownName(taken: Taken): string {
		const inherited = this.dice.pick(INHERITED);
		if (!this.features.isPlain && this.dice.chance(4) && !taken.has(inherited)) return inherited;
		return this.#name(this.dice.pick(this.features.isPlain ? NAMES.slice(0, 4) : NAMES));
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
		isRestriction = false,
	): ComplexType {
		const { dice } = this;
		const isPlain = this.features.isPlain;
		const hasText = !isPlain && base === undefined && name !== undefined && dice.chance(15);
		const type: ComplexType = {
			name,
			space,
			base,
			isRestriction,
			isAbstract: false,
			family,
			attributes: [],
			attributeGroup: undefined,
			text: hasText ? this.#namedSimple() : undefined,
			content: undefined,
			derived: [],
		};
		return type;
	}

	/** Adds a type and types derived from it. */
	#family(family: number): void {
		const { dice } = this;
		const root = this.#emptyType(this.#space(), this.#name('T'), family);
		const members = [root];
		for (let i = dice.chance(50) ? dice.number(1, 3) : 0; i > 0; i--) {
			const base = this.features.isPlain ? root : dice.pick(members);
			const isRestriction = !this.features.isPlain && dice.chance(20);
			const space = isRestriction ? base.space : this.#space();
			// Two types may have the same name in different namespaces.
			const isSame = members.every((member) => member.space !== space) && dice.chance(70);
			const name = isSame ? root.name : this.#name('T');
			const member = this.#emptyType(space, name, family, base, isRestriction);
			base.derived.push(member);
			members.push(member);
		}
		if (root.derived.length > 0 && dice.chance(30)) {
			Object.assign(root, { isAbstract: true });
		}
		this.#definitions.types.push(...members);
	}

	/** Fills in a type, then the types derived from it. */
	#fill(type: ComplexType, taken: Taken): void {
		const { dice } = this;
		const { base } = type;
		if (type.isRestriction && (base === undefined || !canBeRestricted(base))) {
			Object.assign(type, { isRestriction: false });
		}
		if (type.isRestriction && base?.content !== undefined) {
			const children = base.content.children.filter(
				(child) => (child.kind === 'element' && child.min > 0) || dice.chance(50),
			);
			type.content = { ...base.content, children };
		} else if (!type.isRestriction) {
			if (textOf(type) === undefined && dice.chance(90)) {
				const level = type.derived.length > 0 || type.base !== undefined ? 1 : 0;
				type.content = this.#group(type.space, type.family, level, taken);
				// A list now and then.
				if (type.base === undefined && type.derived.length === 0 && dice.chance(45)) {
					type.content = this.#listContent(type);
				}
			}
			this.#addAttributes(type, taken);
		}
		for (const derived of type.derived) this.#fill(derived, new Set(taken));
	}

	#listContent({ space, family }: ComplexType): Group {
		const row = this.#element(space, family, MAX_LEVEL, new Set());
		const isNillable = row.isReference
			? row.isNillable
			: row.fixed === undefined && !this.features.isPlain && this.dice.chance(60);
		const often = { min: 0, max: this.dice.pick([3, Infinity]) };
		const children = [{ ...row, isNillable, ...often }];
		return { kind: 'sequence', min: 1, max: 1, children, reference: undefined };
	}

	#addAttributes(type: ComplexType, taken: Taken): void {
		const { dice } = this;
		if (type.name !== undefined && dice.chance(15)) type.attributeGroup = this.#name('AG');
		const wanted = type.attributeGroup === undefined ? dice.number(0, 5) - 3 : dice.number(1, 2);
		const known = new Set(attributesOf(type).map(({ name }) => name));
		for (let i = wanted; i > 0; i--) {
			const attribute = this.#attribute(type.space);
			if (!known.has(attribute.name)) type.attributes.push(attribute);
			known.add(attribute.name);
		}
		if (type.attributeGroup !== undefined) {
			const { space, attributes } = type;
			this.#definitions.attributeGroups.set(type.attributeGroup, { space, attributes });
		}
		for (const name of known) taken.add(`@${name}`);
	}

	#attribute(space: SchemaSpace): Attribute {
		const { dice } = this;
		const isRequired = dice.chance(40);
		const globals = this.#definitions.attributes;
		if (globals.length > 0 && dice.chance(30)) return { ...dice.pick(globals), isRequired };
		const isQualified = this.#definitions.qualified[space].attributes;
		const fixed = dice.chance(10) ? 'a fixed value' : undefined;
		return {
			name: this.#name(dice.pick(['code', 'lang', 'unit-'])),
			space: isQualified ? space : '',
			type: fixed === undefined ? this.#simple() : this.#text(),
			isRequired,
			fixed,
			isReference: false,
		};
	}

	#globalAttribute(): Attribute & { readonly space: SchemaSpace } {
		const name = this.#name('global');
		const type = this.#simple();
		const space = this.#space();
		return { name, space, type, isRequired: false, fixed: undefined, isReference: true };
	}

	#text(): SimpleType {
		const value = (): never => {
			throw new Error('The value of a fixed text is given');
		};
		return { kind: 'fixed value', name: 's:string', definition: '', value };
	}

	#simple(): SimpleType {
		const { simpleTypes } = this.#definitions;
		if (simpleTypes.length > 0 && this.dice.chance(25)) return this.dice.pick(simpleTypes);
		if (this.dice.chance(30)) return restrictedType(this.dice);
		return builtInType(this.dice);
	}

	#namedSimple(): SimpleType {
		const { simpleTypes } = this.#definitions;
		if (simpleTypes.length > 0 && this.dice.chance(40)) return this.dice.pick(simpleTypes);
		return builtInType(this.dice);
	}

	/**
	 * @param family a type that contains itself, or an earlier type, must be able to end
	 * @param level of anonymous types
	 */
	#group(
		space: SchemaSpace,
		family: number,
		level: number,
		taken: Taken,
		isOpen = true,
		depth = 0,
	): Group {
		const { dice, features } = this;
		const kind = features.isPlain
			? 'sequence'
			: dice.pick([
					'sequence',
					'sequence',
					'sequence',
					'choice',
					depth === 0 ? 'all' : 'choice',
				] as const);
		const isAll = kind === 'all' && isOpen && level === 0;
		const children: Particle[] = [];
		for (let i = dice.number(depth === 0 ? 0 : 1, 5); i > 0; i--) {
			const isNested = !features.isPlain && !isAll && depth < 2 && dice.chance(15);
			const reference = isNested && isOpen ? this.#groupReference(taken) : undefined;
			if (reference !== undefined) children.push(reference);
			else if (isNested) children.push(this.#group(space, family, level, taken, isOpen, depth + 1));
			else {
				const element = this.#element(space, family, level, taken);
				children.push(isAll ? { ...element, min: Math.min(1, element.min), max: 1 } : element);
			}
		}
		const group: Group = { kind: 'sequence', min: 1, max: 1, children, reference: undefined };
		if (isAll) return { ...group, kind };
		if (kind === 'choice' && children.length > 0) {
			const isRepeated = dice.chance(30) && children.every((child) => child.kind === 'element');
			if (!isRepeated) return { ...group, kind, min: dice.number(0, 1) };
			const once = children.map((child) => ({ ...child, min: 1, max: 1 }) as Element);
			return { ...group, kind, min: 0, max: Infinity, children: once };
		}
		const [only] = children;
		if (depth > 0 && children.length === 1 && only?.kind === 'element' && dice.chance(95)) {
			return { ...group, min: 0, max: Infinity, children: [{ ...only, min: 1, max: 1 }] };
		}
		// Elsewhere the schema would be ambiguous.
		const last = children.at(-1);
		const isAnyAllowed =
			last === undefined || (last.kind === 'element' && last.min === 1 && last.max === 1);
		if (
			depth === 0 &&
			level === 0 &&
			isOpen &&
			isAnyAllowed &&
			!features.isPlain &&
			dice.chance(15)
		) {
			children.push({ kind: 'any' });
		}
		const isOptional = depth > 0 && dice.chance(30);
		return isOptional ? { ...group, min: 0 } : group;
	}

	#groupReference(taken: Taken): Group | undefined {
		const { groups } = this.#definitions;
		if (groups.size === 0) return undefined;
		const [name, { group, space }] = this.dice.pick([...groups]);
		const names = elementsOf([group]).map(({ particle }) =>
			particle.kind === 'element' ? particle.name : '',
		);
		if (names.some((own) => taken.has(own))) return undefined;
		for (const own of names) taken.add(own);
		return { ...group, reference: `${space}:${name}` };
	}

	#globalElement(): Element & { readonly space: SchemaSpace } {
		const space = this.#space();
		const element = this.#element(space, INNERMOST, MAX_LEVEL, new Set());
		return { ...element, name: this.#name('Global'), space, min: 1, max: 1, isReference: true };
	}

	#element(space: SchemaSpace, family: number, level: number, taken: Taken): Element {
		const { dice, features } = this;
		const min = dice.chance(60) ? 1 : 0;
		const max = dice.chance(20) ? dice.pick([2, 4, Infinity]) : 1;
		const globals = this.#definitions.elements.filter(({ name }) => !taken.has(name));
		if (globals.length > 0 && dice.chance(20)) {
			const global = dice.pick(globals);
			taken.add(global.name);
			return { ...global, min: canEnd(global.type, family) ? min : 0, max };
		}
		const name = this.#ownName(taken);
		taken.add(name);
		const isQualified =
			dice.chance(10) && !features.isPlain
				? dice.chance(50)
				: this.#definitions.qualified[space].elements;
		const own: Space = isQualified ? space : '';
		const type = this.#elementType(space, family, level, own);
		const isFixed = 'simple' in type && type.simple.name === 's:string' && dice.chance(10);
		const canBeNillable = !('unsupported' in type) && (max === 1 || !features.isPlain);
		return {
			kind: 'element',
			name,
			space: own,
			type,
			isNillable: canBeNillable && !isFixed && dice.chance(25),
			fixed: isFixed ? 'Only this' : undefined,
			min: canEnd(type, family) ? min : 0,
			max,
			isReference: false,
		};
	}

	/** @param around namespace of the element */
	#elementType(space: SchemaSpace, family: number, level: number, around: Space): ElementType {
		const { dice, features } = this;
		const { types, qualified } = this.#definitions;
		// What is sent as it is has the namespace of the element around it.
		const unsupported = this.#definitions.unsupported.filter(
			({ space: own }) => (qualified[own].elements ? own : '') === around,
		);
		if (types.length > 0 && dice.chance(40)) return { complex: dice.pick(types) };
		if (!features.isPlain) {
			if (dice.chance(6)) return { any: true };
			if (unsupported.length > 0 && dice.chance(15)) return { unsupported: dice.pick(unsupported) };
		}
		if (level < MAX_LEVEL && dice.chance(15)) {
			const type = this.#emptyType(space, undefined, family);
			type.content = this.#group(space, family, level + 1, new Set());
			this.#addAttributes(type, new Set());
			return { complex: type };
		}
		return { simple: this.#simple() };
	}
}

/** Whether values of a type can always end, where it is required in a type of a family. */
function canEnd(type: ElementType, family: number): boolean {
	return !('complex' in type) || type.complex.name === undefined || type.complex.family > family;
}

/** Whether a type derived from it can repeat its content: a sequence of elements of global types. */
function canBeRestricted(type: ComplexType): boolean {
	const { base, content, isRestriction } = type;
	if (base !== undefined && !isRestriction) return false;
	// libxml2 rejects a restriction of it, though it is valid.
	if (textOf(type)?.kind === 'NMTOKENS') return false;
	if (content === undefined) return true;
	return (
		content.kind === 'sequence' &&
		content.children.every((child) => child.kind === 'element' && isGlobal(child.type))
	);
}

function isGlobal(type: ElementType): boolean {
	if ('simple' in type) return type.simple.name !== undefined;
	return !('complex' in type) || type.complex.name !== undefined;
}
