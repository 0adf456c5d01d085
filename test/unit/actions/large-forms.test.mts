/** Forms of descriptions of some megabytes: what is offered is bounded, and made in linear time. */
import { automaticValues, requireColumns } from '../../../nodes/shared/form/mapping/automatic.ts';
import { mappedValues, mapperFields } from '../../../nodes/shared/form/mapping/mapper.ts';
import type {
	EnumerationField,
	Field,
	Fields,
	RecordContent,
	RecordField,
} from '../../../nodes/shared/contract/fields.ts';
import { writeRequest } from '../../../nodes/shared/soap/envelope.ts';

/** Each test takes less than a second. What costs more for each field takes a minute, or all memory. */
const TIMEOUT_MS = 10_000;

function fieldsOf(count: number, field: Field, name = (i: number) => `F${i}`): Fields {
	return Object.fromEntries(Array.from({ length: count }, (_, i) => [name(i), { ...field }]));
}

const record = (fields: Fields, more: Partial<RecordField> = {}): RecordField => ({
	kind: 'record',
	type: 'T',
	fields,
	...more,
});

/** The size of a form as n8n sends it to its editor. */
const sizeOf = (content: RecordContent, isTool = false): number =>
	JSON.stringify(mapperFields(content, isTool)).length;

it(
	'a choice of 20,000 fields is a form, and checked at each call',
	() => {
		const fields = fieldsOf(20_000, { kind: 'int' });
		const content = { fields, choice: { names: Object.keys(fields), required: true } };
		const form = mapperFields(content, false);
		expect(form[0]?.displayName).toMatch(/^F0 \(enter this, F1, F2, .* or 19990 more\)$/);
		expect(form[19_999]?.displayName).toMatch(/^F19999 \(enter this, F0, F1, /);
		for (let call = 0; call < 20; call++) {
			const { known } = automaticValues(content, { f7: 1 });
			requireColumns(content, known);
			expect(writeRequest(content, known)).toBe('<F7>1</F7>');
		}
	},
	TIMEOUT_MS,
);

it(
	'a choice of 40,000 fields is checked in each of 8,000 rows',
	() => {
		const fields = fieldsOf(40_000, { kind: 'int' });
		const of = record(fields, { choice: { names: Object.keys(fields), required: true } });
		const content = { fields: { Row: { kind: 'repeated', of } } } as const;
		const written = writeRequest(content, {
			Row: Array.from({ length: 8_000 }, () => ({ F7: 1 })),
		});
		expect(written).toBe('<Row><F7>1</F7></Row>'.repeat(8_000));
	},
	TIMEOUT_MS,
);

describe('8,000 fields', () => {
	const values = Array.from({ length: 8_000 }, (_, i) => `Value${i}`);
	const choices: EnumerationField = { kind: 'enumeration', values };

	it(
		'of 8,000 choices offer them as long as there are not too many in all, and accept each of them',
		() => {
			const content = { fields: fieldsOf(8_000, choices) };
			const [first, ...others] = mapperFields(content, false);
			expect(first).toMatchObject({ displayName: 'F0', type: 'options' });
			expect(first?.options).toHaveLength(8_000);
			const last = others.at(-1);
			expect(last?.type).toBe('string');
			expect(last?.displayName).toMatch(/^F7999 \(Value0, Value1, .*\.\.\.\)$/);
			expect(last).not.toHaveProperty('options');
			expect(sizeOf(content)).toBeLessThan(3_000_000);
			expect(sizeOf(content, true)).toBeLessThan(3_000_000);
			const given = Object.fromEntries(Object.keys(content.fields).map((id) => [id, 'Value7999']));
			expect(writeRequest(content, mappedValues(content, given))).toContain('</F7999>');
		},
		TIMEOUT_MS,
	);

	it(
		'of a record of 50,000 fields are JSON, with an example as long as there are not too many',
		() => {
			const inner = fieldsOf(50_000, { kind: 'int' }, (i) => `${'Long'.repeat(200)}${i}`);
			const list: Field = { kind: 'list', row: 'Row', of: record(inner) };
			for (const field of [record(inner, { derived: [record(inner)] }), record(inner), list]) {
				const content = { fields: fieldsOf(8_000, field) };
				const form = mapperFields(content, false);
				expect(form[0]?.defaultValue).toContain('Long0"');
				expect(form.at(-1)).not.toHaveProperty('defaultValue');
				expect(form.at(-1)?.displayName).toBe('F7999 (JSON)');
				expect(sizeOf(content)).toBeLessThan(5_000_000);
			}
		},
		TIMEOUT_MS,
	);

	it(
		'of one name are found by their paths',
		() => {
			const name = (i: number): string =>
				Array.from({ length: 13 }, (_, bit) => ((i >> bit) % 2 === 1 ? 'A' : 'a')).join('');
			const content = { fields: fieldsOf(8_000, { kind: 'int' }, name) };
			const columns = Object.fromEntries(Object.keys(content.fields).map((id) => [`${id} `, 1]));
			expect(() => automaticValues(content, columns)).toThrow('is the name of several fields');
		},
		TIMEOUT_MS,
	);
});

it('fields after an example that is too long keep their types', () => {
	const of = record({ ['Long'.repeat(2 ** 18)]: { kind: 'int' } });
	const form = mapperFields(
		{
			fields: {
				Rows: { kind: 'list', row: 'Row', of },
				Flag: { kind: 'boolean' },
				Day: { kind: 'date' },
			},
		},
		false,
	);
	expect(form[0]).not.toHaveProperty('defaultValue');
	expect(form.map(({ type }) => type)).toEqual(['array', 'boolean', 'dateTime']);
});

describe('types', () => {
	it(
		'that hold each other end the search for a column',
		() => {
			const node = record({});
			const derived = Array.from({ length: 1_000 }, (_, i) =>
				record({ F: node, [`Y${i}`]: { kind: 'int' } }, { type: `T${i}` }),
			);
			Object.assign(node, { fields: { F: node }, derived });
			const column = `${'F.'.repeat(20)}Z`;
			const columns = Array.from({ length: 1_000 }, (_, i) => [`${column}${i}`, 1]);
			const { unknown } = automaticValues({ fields: { F: node } }, Object.fromEntries(columns));
			expect(unknown).toHaveLength(1_000);
		},
		TIMEOUT_MS,
	);

	it('are not searched further for a column that is longer, or that more records may hold', () => {
		const deep = (names: string[], field: Field): Field =>
			names.reduceRight((inner, name) => record({ [name]: inner }), field);
		const node = record({});
		const name = `F${'.F'.repeat(20)}`;
		const last = deep([...'ABCDEFGH'], { kind: 'int' });
		Object.assign(node, { fields: { F: node, 'F.F': node, X: { kind: 'int' } } });
		const fields = { F: node, 'F.F': node, [name]: last };
		const columns = [`${name}.A.B.C.D.E.F.G.H`, `${'F.'.repeat(300)}X`];
		const item = Object.fromEntries(columns.map((column) => [column, 1]));
		expect(automaticValues({ fields }, item).unknown).toEqual(columns);
	});

	it(
		'of 8,000 fields are named once, and each field keeps its own',
		() => {
			const names = Array.from({ length: 8_000 }, (_, i) => `T${i}`);
			const derived = names.map((type) => record({ X: { kind: 'int' } }, { type }));
			const content = { fields: fieldsOf(8_000, record({}, { derived })) };
			const values = Object.keys(content.fields).map((name) => [
				name,
				{ '@xsi:type': 'T7999', X: 1 },
			]);
			expect(writeRequest(content, Object.fromEntries(values))).toContain(
				'T7999"><X>1</X></F7999>',
			);
			const named = writeRequest(content, { F0: { '@xsi:type': 'T' }, F1: { '@xsi:type': 'T' } });
			expect(named).toBe('<F0></F0><F1></F1>');
		},
		TIMEOUT_MS,
	);

	it.each([
		['attributes', (many: Fields) => record({ X: { kind: 'int' } }, { attributes: many as never })],
		['fields', (many: Fields) => record({ X: { kind: 'int' }, ...many })],
		[
			'fields of derived types',
			(many: Fields) => record({ X: { kind: 'int' }, ...many }, { derived: [] }),
		],
	])(
		'of 20,000 %s cost a row only what it has',
		(_, recordOf) => {
			const many = fieldsOf(20_000, { kind: 'int' }, (i) => `a${i}`);
			const of = recordOf(Object.fromEntries(Object.entries(many).map(([k, f]) => [`@${k}`, f])));
			const rows = Array.from({ length: 2_000 }, () => ({ '@a19999': 2, X: 1 }));
			const content = { fields: { Rows: { kind: 'list', row: 'Row', of } as Field } };
			const { known } = automaticValues(content, { Rows: rows });
			expect(() => writeRequest(content, known)).not.toThrow();
		},
		TIMEOUT_MS,
	);

	it(
		'of many fields that are sent as null are refused for many rows',
		() => {
			const of = record(fieldsOf(20_000, { kind: 'int', required: true, nillable: true }));
			const content = { fields: { Rows: { kind: 'list', row: 'Row', of } as Field } };
			const Rows = Array.from({ length: 10_000 }, () => ({}));
			expect(() => writeRequest(content, { Rows })).toThrow(
				'has more than 1000000 values that are sent as null',
			);
		},
		TIMEOUT_MS,
	);
});
