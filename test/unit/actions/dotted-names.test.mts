/** Elements with a dot in their names: two paths are never taken for one. */
import type { RecordContent } from '../../../nodes/shared/contract/fields.ts';
import { automaticCells, cellValue } from '../../../nodes/shared/form/mapping/columns.ts';
import { mappedValues, mapperFields } from '../../../nodes/shared/form/mapping/mapper.ts';
import { writeRequest } from '../../../nodes/shared/soap/write.ts';
import { knownValues } from '../../../nodes/shared/values/records.ts';
import type { Values } from '../../../nodes/shared/values/values.ts';
import { element, sequence, type } from '../../fuzz/description-texts.mts';
import { callWsdl, described } from '../../support/wsdl.mts';

/** The elements `A.B`, and `A` with `B` and `B.C`, and `A.B.C`; and one whose dot is no trouble. */
const { request } = described(
	callWsdl(
		element('A.B', 's:int') +
			element('A', 'tns:T') +
			element('A.B.C', 's:int') +
			element('No.2', 's:int'),
		type('T', sequence(element('B', 's:int') + element('B.C', 's:int'))),
	),
).operation('Call');

const WRITTEN = '<A.B>1</A.B><A><B>2</B><B.C>3</B.C></A><A.B.C>4</A.B.C><No.2>5</No.2>';

describe.each([false, true])('in a form, of a tool: %s,', (isTool) => {
	const form = mapperFields(request, isTool);

	it('each has an id of its own, and others keep theirs', () => {
		expect(form.map(({ id }) => id)).toEqual(['/A.B', '/A/B', '/A/B.C', '/A.B.C', 'No.2']);
	});

	it('each value is sent in its place', () => {
		const given = Object.fromEntries(form.map(({ id }, i) => [id, String(i + 1)]));
		expect(writeRequest(request, mappedValues(request, given))).toBe(WRITTEN);
	});
});

describe('in columns', () => {
	const read = (content: RecordContent, item: Values) =>
		knownValues(content, automaticCells(content, item), cellValue).known;
	const written = (item: object): string => writeRequest(request, read(request, { ...item }));

	it.each([
		['the elements of a request', { 'A.B': 1, A: { B: 2, 'B.C': 3 }, 'A.B.C': 4, 'No.2': 5 }],
		['paths', { '/A.B': 1, '/A/B': 2, '/A/B.C': 3, '/A.B.C': 4, 'no.2': 5 }],
	])('%s are sent in their places', (_, item) => {
		expect(written(item)).toBe(WRITTEN);
	});

	it('a path that may be for either is refused, with the names that would do', () => {
		const inner = type('T', sequence(element('B', 'tns:U') + element('B.C', 'tns:U')));
		const nested = described(
			callWsdl(
				element('A', 'tns:T') + element('A.B', 'tns:U'),
				inner + type('U', sequence(element('C.D', 's:int') + element('D', 's:int'))),
			),
		).operation('Call').request;
		expect(() => read(nested, { 'A.B.C.D': 1 })).toThrow(
			'A.B.C.D is the name of several fields. Rename the column to one of them: /A/B/C.D, /A/B.C/D or /A.B/C.D.',
		);
		expect(read(nested, { '/A/B.C/D': 1, '/A.B/C.D': 2 })).toEqual({
			A: { 'B.C': { D: 1 } },
			'A.B': { 'C.D': 2 },
		});
	});
});
