/** Forms of descriptions of some megabytes: whatever a row or a column costs, it costs once. */
import { automaticValues } from '../../../nodes/shared/form/mapping/mapper.ts';
import type { Field, Fields, RecordField } from '../../../nodes/shared/contract/fields.ts';
import { writeRequest } from '../../../nodes/shared/soap/write.ts';
import { atNight } from '../../support/runs.mts';

/** Each test takes less than a second. What costs more for each field takes a minute, or all memory. */
const TIMEOUT_MS = 10_000;

const fieldsOf = (count: number, field: Field, name = (i: number) => `F${i}`): Fields =>
	Object.fromEntries(Array.from({ length: count }, (_, i) => [name(i), { ...field }]));

const record = (fields: Fields): RecordField => ({ kind: 'record', type: 'T', fields });

atNight(
	'8,000 fields of one name are found by their paths',
	() => {
		const name = (i: number): string =>
			Array.from({ length: 13 }, (_, bit) => ((i >> bit) % 2 === 1 ? 'A' : 'a')).join('');
		const content = { fields: fieldsOf(8_000, { kind: 'int' }, name) };
		const columns = Object.fromEntries(Object.keys(content.fields).map((id) => [`${id} `, 1]));
		expect(() => automaticValues(content, columns)).toThrow('is the name of several fields');
	},
	TIMEOUT_MS,
);

it('types that hold each other end the search for a column', () => {
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

atNight(
	'of 20,000 fields, a row costs only what it has',
	() => {
		const of = record(fieldsOf(20_000, { kind: 'int' }));
		const rows = Array.from({ length: 2_000 }, () => ({ F19999: 2, F1: 1 }));
		const content = { fields: { Rows: { kind: 'list', row: 'Row', of } as Field } };
		const { known } = automaticValues(content, { Rows: rows });
		expect(() => writeRequest(content, known)).not.toThrow();
	},
	TIMEOUT_MS,
);
