/** Simple types of XML Schema as field kinds. */
import type { ScalarField } from '../../contract/fields';
import { truncate } from '../../errors/words';
import { XSD } from '../../values/untyped';
import { childrenOf } from '../xml';
import { referenceOf, Unsupported, type Component, type Schemas } from './schemas';

const KINDS = ['int', 'decimal', 'boolean', 'dateTime', 'date', 'time', 'base64Binary', 'float'];

/** The whole numbers beside `int`. */
const INTEGERS =
	'integer nonNegativeInteger positiveInteger nonPositiveInteger negativeInteger long short byte ' +
	'unsignedLong unsignedInt unsignedShort unsignedByte';

const STRINGS =
	'string normalizedString token language Name NCName NMTOKEN ID IDREF ENTITY anyURI duration ' +
	'gYear gYearMonth gMonth gMonthDay gDay hexBinary anySimpleType';

const BUILT_IN: ReadonlyMap<string, ScalarField> = new Map<string, ScalarField>([
	...STRINGS.split(' ').map((name) => [name, { kind: 'string' }] as const),
	...['IDREFS', 'NMTOKENS', 'ENTITIES'].map(
		(name) => [name, { kind: 'tokens', of: { kind: 'string' } }] as const,
	),
	...KINDS.map((kind) => [kind, { kind } as ScalarField] as const),
	['double', { kind: 'float' }],
	...INTEGERS.split(' ').map((name) => [name, { kind: 'integer' }] as const),
]);

/** Reads simple types as field kinds. */
export class SimpleTypes {
	/** Returns the type that `xs:simpleType` defines. */
	readonly read: (type: Component) => ScalarField;

	constructor(private readonly schemas: Schemas) {
		this.read = schemas.once((type) => this.#defined(type));
	}

	/** Returns the type within a node, or that an attribute of it names; a string if there is none. */
	of({ node, schema }: Component, attribute: string): ScalarField {
		const [inner] = childrenOf(node, XSD, 'simpleType');
		if (inner !== undefined) return this.read({ node: inner, schema });
		const name = referenceOf(node, attribute);
		if (name === undefined) return { kind: 'string' };
		if (name.namespace === XSD) {
			// A prefix in a value would not be bound where the value is sent.
			if (name.local === 'QName') throw new Unsupported('a name with a prefix');
			const type = BUILT_IN.get(name.local);
			if (type === undefined) throw new Unsupported(`an undefined type (${truncate(name.local)})`);
			return type;
		}
		const type = this.schemas.find('type', name);
		if (type.node.name === 'simpleType') return this.read(type);
		throw new Unsupported('a complex type in place of a simple one');
	}

	/** Facets other than enumerations are left to the service. */
	#defined({ node, schema }: Component): ScalarField {
		const [definition] = childrenOf(node, XSD, 'restriction', 'list');
		if (definition === undefined) throw new Unsupported('a union of types');
		const inner = { node: definition, schema };
		if (definition.name === 'list') return { kind: 'tokens', of: this.of(inner, 'itemType') };
		const base = this.of(inner, 'base');
		const values = childrenOf(definition, XSD, 'enumeration');
		const names = values.flatMap(({ attributes }) => attributes.get('value') ?? []);
		if (names.length === 0 || base.kind === 'tokens') return base;
		return { kind: 'enumeration', values: [...new Set(names)] };
	}
}
