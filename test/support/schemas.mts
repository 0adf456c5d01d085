/** Generated schemas, with the fields that they define. */
import fc from 'fast-check';
import type {
	Occurrence,
	SchemaField,
	SchemaFields,
	SchemaRecord,
	SchemaScalar,
	SchemaValue,
} from '../../nodes/shared/contract/schemaFields.ts';
import { definitions, operations, schema, SERVICE_NS, wrapper } from './wsdl.mts';

const OTHER_NS = 'urn:other';

type Mutable<T> = { -readonly [P in keyof T]: T[P] };

/** A type, as far as it does not depend on names. */
type TypeNode =
	| { readonly is: 'scalar'; readonly scalar: number }
	| { readonly is: 'any' | 'self' }
	| { readonly is: 'text'; readonly scalar: number; readonly attribute: number }
	| {
			readonly is: 'list';
			readonly row: TypeNode;
			readonly nillable: boolean;
			readonly max: number;
	  }
	| RecordNode;

interface RecordNode {
	readonly is: 'record';
	readonly isNamed: boolean;
	/** Whether its type stands in the schema of another namespace. */
	readonly isOther: boolean;
	readonly isAbstract: boolean;
	readonly content: ContentNode;
	/** What types derived from it add. */
	readonly derived: readonly ContentNode[];
}

interface ContentNode {
	readonly fields: readonly FieldNode[];
	/** How many of the last fields are the branches of a choice. */
	readonly choice: number;
	readonly attributes: readonly number[];
	/** Whether any elements can be in it, which is then all of it. */
	readonly isOpen: boolean;
}

interface FieldNode {
	readonly type: TypeNode;
	readonly min: 0 | 1;
	readonly max: number;
	readonly nillable: boolean;
	readonly isQualified: boolean;
}

const simple = (content: string): string => `<s:simpleType>${content}</s:simpleType>`;
const restriction = (base: string, facets: string): string =>
	simple(`<s:restriction base="s:${base}">${facets}</s:restriction>`);

/** Scalar types: a name of XML Schema or a definition, and the field that it defines. */
const SCALARS: ReadonlyArray<readonly [type: string, field: SchemaScalar]> = [
	...(
		[
			'int',
			'string',
			'boolean',
			'decimal',
			'float',
			'dateTime',
			'date',
			'time',
			'base64Binary',
		] as const
	).map((kind) => [kind, { kind }] as const),
	['double', { kind: 'float' }],
	['normalizedString', { kind: 'string' }],
	['unsignedByte', { kind: 'integer', min: '0', max: '255' }],
	['long', { kind: 'integer', min: '-9223372036854775808', max: '9223372036854775807' }],
	['integer', { kind: 'integer' }],
	[restriction('string', '<s:maxLength value="5"/>'), { kind: 'string', facets: { maxLength: 5 } }],
	[
		restriction('decimal', '<s:minInclusive value="0"/><s:fractionDigits value="2"/>'),
		{ kind: 'decimal', facets: { minInclusive: '0', fractionDigits: 2 } },
	],
	[
		restriction('string', '<s:enumeration value="Not paid"/><s:enumeration value="Paid"/>'),
		{ kind: 'enumeration', values: ['Not paid', 'Paid'] },
	],
	[simple('<s:list itemType="s:int"/>'), { kind: 'tokens', of: { kind: 'int' } }],
];

/** A type that is written: how an element refers to it, and the value that it defines. */
interface Written {
	readonly attribute: string;
	readonly inner: string;
	readonly value: SchemaValue;
}

/** Writes types with unique names, and collects what they define. */
class SchemaWriter {
	readonly types = { own: '', other: '' };
	#names = 0;

	/** Returns the elements of a sequence; the fields are added to a record. */
	sequence(
		content: ContentNode,
		isOther: boolean,
		fields: Record<string, SchemaField>,
		outer: Written | undefined,
		choice = 1,
	): string {
		const split = content.fields.length - content.choice;
		const plain = content.fields.slice(0, split).map((node) => {
			return this.#element(node, isOther, fields, outer);
		});
		const branches = content.fields.slice(split).map((node, branch) => {
			return this.#element(node, isOther, fields, outer, { choice, branch });
		});
		if (content.isOpen) fields['*'] = { kind: 'any' };
		return (
			`<s:sequence>${plain.join('')}` +
			(branches.length > 0 ? `<s:choice>${branches.join('')}</s:choice>` : '') +
			(content.isOpen ? '<s:any processContents="lax" minOccurs="0" maxOccurs="unbounded"/>' : '') +
			'</s:sequence>'
		);
	}

	#name(stem: string): string {
		this.#names += 1;
		return `${stem}${this.#names}`;
	}

	#element(
		node: FieldNode,
		isOther: boolean,
		fields: Record<string, SchemaField>,
		outer: Written | undefined,
		alternative?: Occurrence['alternative'],
	): string {
		const name = this.#name('Field');
		const { attribute, inner, value } = this.#type(node.type, isOther, outer);
		const namespace = node.isQualified ? (isOther ? OTHER_NS : undefined) : '';
		const one: SchemaValue & Occurrence = {
			...value,
			...(namespace !== undefined && { namespace }),
			...(node.nillable && { nillable: true }),
		};
		// A choice may be left out.
		const min = alternative === undefined ? node.min : 0;
		const isRequired = min === 1;
		const occurrence = {
			...(isRequired && { required: true }),
			...(alternative && { alternative }),
		};
		fields[name] =
			node.max === 1
				? { ...one, ...occurrence }
				: {
						kind: 'repeated',
						of: one,
						...(isRequired && { minRows: 1 }),
						...(node.max < Infinity && { maxRows: node.max }),
						...occurrence,
					};
		const max = node.max === Infinity ? 'unbounded' : node.max;
		const form = node.isQualified ? '' : ' form="unqualified"';
		return (
			`<s:element name="${name}" minOccurs="${min}" maxOccurs="${max}"` +
			`${node.nillable ? ' nillable="true"' : ''}${form}${attribute}>${inner}</s:element>`
		);
	}

	/** @param outer the record around it that a type may be the same as */
	#type(node: TypeNode, isOther: boolean, outer: Written | undefined): Written {
		switch (node.is) {
			case 'any':
				return { attribute: ' type="s:anyType"', inner: '', value: { kind: 'any' } };
			case 'self':
				return outer ?? this.#type({ is: 'any' }, isOther, outer);
			case 'scalar': {
				const [type, value] = SCALARS[node.scalar] ?? ['string', { kind: 'string' }];
				const isName = !type.startsWith('<');
				return {
					attribute: isName ? ` type="s:${type}"` : '',
					inner: isName ? '' : type,
					value,
				};
			}
			case 'text': {
				const fields: Record<string, SchemaField> = {};
				const attributes = this.#attributes([node.attribute], fields);
				const { attribute, inner, value } = this.#type(
					{ is: 'scalar', scalar: node.scalar },
					isOther,
					outer,
				);
				fields['#text'] = value;
				const base = attribute === '' ? 'Text' : '';
				const name = base && this.#name(base);
				if (name !== '') this.#add(isOther, inner.replace('>', ` name="${name}">`));
				const of =
					name === '' ? attribute.slice(' type="'.length, -1) : this.#prefix(isOther) + name;
				return {
					attribute: '',
					inner: `<s:complexType><s:simpleContent><s:extension base="${of}">${attributes}</s:extension></s:simpleContent></s:complexType>`,
					value: { kind: 'record', type: '', fields },
				};
			}
			case 'list': {
				const row = this.#name('Row');
				const { attribute, inner, value } = this.#type(node.row, isOther, outer);
				const max = node.max === Infinity ? 'unbounded' : node.max;
				const name = this.#name('ArrayOf');
				this.#add(
					isOther,
					`<s:complexType name="${name}"><s:sequence><s:element name="${row}" minOccurs="0" maxOccurs="${max}"` +
						`${node.nillable ? ' nillable="true"' : ''}${attribute}>${inner}</s:element></s:sequence></s:complexType>`,
				);
				return {
					attribute: ` type="${this.#prefix(isOther)}${name}"`,
					inner: '',
					value: {
						kind: 'list',
						row,
						of: {
							...value,
							...(isOther && { namespace: OTHER_NS }),
							...(node.nillable && { nillable: true }),
						},
						...(node.max < Infinity && { maxRows: node.max }),
					},
				};
			}
			case 'record':
				return node.isNamed
					? this.#named(node, node.isOther)
					: this.#anonymous(node, isOther, outer);
		}
	}

	#anonymous(node: RecordNode, isOther: boolean, outer: Written | undefined): Written {
		const fields: Record<string, SchemaField> = {};
		const attributes = this.#attributes(attributesOf(node), fields);
		const sequence = this.sequence(node.content, isOther, fields, outer);
		return {
			attribute: '',
			inner: `<s:complexType>${sequence}${attributes}</s:complexType>`,
			value: { kind: 'record', type: '', fields },
		};
	}

	#named(node: RecordNode, isOther: boolean): Written {
		const fields: Record<string, SchemaField> = {};
		const type = this.#name('Type');
		const reference = this.#prefix(isOther) + type;
		const derived: SchemaRecord[] = [];
		const value: Mutable<SchemaRecord> = {
			kind: 'record',
			type,
			...(isOther && { typeNamespace: OTHER_NS }),
			fields,
			...(node.isAbstract && { isAbstract: true }),
			...(node.derived.length > 0 && { derived }),
		};
		const written: Written = { attribute: ` type="${reference}"`, inner: '', value };
		const attributes = this.#attributes(attributesOf(node), fields);
		const sequence = this.sequence(node.content, isOther, fields, written);
		const abstract = node.isAbstract ? ' abstract="true"' : '';
		this.#add(
			isOther,
			`<s:complexType name="${type}"${abstract}>${sequence}${attributes}</s:complexType>`,
		);
		for (const content of node.derived)
			derived.push(this.#derived(reference, node, content, fields));
		return written;
	}

	#derived(base: string, node: RecordNode, added: ContentNode, fields: SchemaFields): SchemaRecord {
		const { isOther } = node;
		const type = this.#name('Derived');
		const own: Record<string, SchemaField> = {};
		const attributes = this.#attributes(added.attributes, own, true);
		const content = { ...added, isOpen: false };
		const choice = node.content.choice > 0 ? 2 : 1;
		const sequence = this.sequence(content, isOther, own, undefined, choice);
		this.#add(
			isOther,
			`<s:complexType name="${type}"><s:complexContent><s:extension base="${base}">` +
				`${sequence}${attributes}</s:extension></s:complexContent></s:complexType>`,
		);
		return {
			kind: 'record',
			type,
			...(isOther && { typeNamespace: OTHER_NS }),
			fields: { ...fields, ...own },
		};
	}

	/** @param isRequired not for an element that can be nil: it is then written without attributes */
	#attributes(
		scalars: readonly number[],
		fields: Record<string, SchemaField>,
		isRequired = false,
	): string {
		const attributes = scalars.map((scalar) => {
			const name = this.#name('attribute');
			const { attribute, inner, value } = this.#type({ is: 'scalar', scalar }, false, undefined);
			fields[`@${name}`] = { ...value, ...(isRequired && { required: true }) };
			const use = isRequired ? ' use="required"' : '';
			return `<s:attribute name="${name}"${use}${attribute}>${inner}</s:attribute>`;
		});
		return attributes.join('');
	}

	#prefix(isOther: boolean): string {
		return isOther ? 'o:' : 'tns:';
	}

	#add(isOther: boolean, definition: string): void {
		this.types[isOther ? 'other' : 'own'] += definition;
	}
}

/** A record of only one element that repeats would be a list: such a one gets an attribute. */
function attributesOf({ content, derived, isAbstract }: RecordNode): readonly number[] {
	const isList =
		content.fields.length === 1 &&
		content.fields[0]?.max !== 1 &&
		!content.isOpen &&
		!isAbstract &&
		derived.length === 0;
	return isList && content.attributes.length === 0 ? [0] : content.attributes;
}

/** An abstract type has no value without its derived types, not even that of an empty element. */
function canBeNil(type: TypeNode): boolean {
	return type.is !== 'self' && !(type.is === 'record' && type.isAbstract);
}

const scalar = fc.nat(SCALARS.length - 1);
const max = fc.constantFrom(3, 5, Infinity);

const { content: anyContent } = fc.letrec<{
	type: TypeNode;
	field: FieldNode;
	content: ContentNode;
}>((tie) => ({
	type: fc.oneof(
		{ maxDepth: 4, depthSize: 'small' },
		{ weight: 6, arbitrary: fc.record({ is: fc.constant('scalar' as const), scalar }) },
		{ weight: 1, arbitrary: fc.record({ is: fc.constantFrom('any' as const, 'self' as const) }) },
		{
			weight: 1,
			arbitrary: fc.record({ is: fc.constant('text' as const), scalar, attribute: scalar }),
		},
		{
			weight: 2,
			arbitrary: fc
				.record({
					is: fc.constant('list' as const),
					row: tie('type'),
					nillable: fc.boolean(),
					max,
				})
				.map((list) => ({ ...list, nillable: list.nillable && canBeNil(list.row) })),
		},
		{
			weight: 4,
			arbitrary: fc
				.record({
					is: fc.constant('record' as const),
					isNamed: fc.boolean(),
					isOther: fc.boolean(),
					isAbstract: fc.boolean(),
					content: tie('content'),
					derived: fc.array(tie('content'), { maxLength: 2 }),
				})
				.map((node) =>
					node.isNamed && !node.content.isOpen
						? { ...node, isAbstract: node.isAbstract && node.derived.length > 0 }
						: { ...node, isAbstract: false, derived: [] },
				),
		},
	),
	field: fc
		.record({
			type: tie('type'),
			min: fc.constantFrom<0 | 1>(0, 1),
			max: fc.oneof({ weight: 4, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: max }),
			nillable: fc.boolean(),
			isQualified: fc.boolean(),
		})
		.map(
			(field): FieldNode => ({
				...field,
				// A record that must hold itself has no value.
				min: field.type.is === 'self' ? 0 : field.min,
				nillable: field.nillable && canBeNil(field.type),
			}),
		),
	content: fc
		.record({
			fields: fc.array(tie('field'), { maxLength: 5 }),
			choice: fc.nat(3),
			attributes: fc.array(scalar, { maxLength: 2 }),
			isOpen: fc.boolean(),
		})
		.map((content) => (content.isOpen ? { ...content, fields: [] } : content))
		.map((content) => ({ ...content, choice: Math.min(content.choice, content.fields.length) })),
}));

/** A description of the operation "Call". */
export interface GeneratedDescription {
	readonly wsdl: string;
	/** Its schemas as files that import each other; the first has the element "Call". */
	readonly schemas: ReadonlyArray<{ readonly fileName: string; readonly contents: string }>;
	/** The fields of its request. */
	readonly request: SchemaFields;
}

/** Any description of one operation. */
export const generatedDescription: fc.Arbitrary<GeneratedDescription> = anyContent.map(
	(content) => {
		const writer = new SchemaWriter();
		const request: Record<string, SchemaField> = {};
		const sequence = writer.sequence(content, false, request, undefined);
		const call = `<s:element name="Call"><s:complexType>${sequence}</s:complexType></s:element>`;
		const imported = (namespace: string, location: string): string =>
			`<s:import namespace="${namespace}"${location && ` schemaLocation="${location}"`}/>`;
		const own = (location: string): string =>
			schema(imported(OTHER_NS, location) + call + wrapper('CallResponse') + writer.types.own);
		const other = (location: string): string =>
			schema(imported(SERVICE_NS, location) + writer.types.other, `targetNamespace="${OTHER_NS}"`);
		const types = `<wsdl:types>${own('')}${other('')}</wsdl:types>`;
		return {
			wsdl: definitions(types + operations('Call')),
			schemas: [
				{ fileName: 'own.xsd', contents: own('other.xsd') },
				{ fileName: 'other.xsd', contents: other('own.xsd') },
			],
			request,
		};
	},
);
