import { describedCalls, type DescribedCall } from '../../../dev/package/described.mts';
import { readXml, typeOf, type XmlElement } from '../../../dev/sandbox/xml.mts';
import { post, type SoapReply } from './envelope.mts';
import { useService } from './setUp.mts';

const service = useService();

const call = async (
	{ service: to, name, body }: Pick<DescribedCall, 'service' | 'name' | 'body'>,
	version: '1.1' | '1.2' = '1.1',
): Promise<SoapReply> =>
	await post(service, { version, service: to, operation: name, content: body });

type Values = Readonly<Record<string, unknown>>;

/** Whether an element holds a value; the schema decides nothing here. */
function holds(element: XmlElement, value: unknown): boolean {
	const { text, attributes, children } = element;
	if (attributes.has('xsi:nil')) return value === null;
	if (typeof value === 'number') return text !== '' && Number(text) === value;
	if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
		return holdsEach(element, value as Values);
	}
	if (!Array.isArray(value)) return children.length === 0 && text === String(value);
	if (children.length === 0) return text === value.join(' ');
	return children.length === value.length && children.every((row, at) => holds(row, value[at]));
}

/** Whether an element holds these attributes and elements, and no others. */
function holdsEach(element: XmlElement, values: Values): boolean {
	const { attributes, children } = element;
	const plain = (text: string): XmlElement => ({
		...element,
		...{ attributes: new Map(), children: [], text },
	});
	const isHeld = ([name, value]: [string, unknown]): boolean => {
		if (name === '@xsi:type') return typeOf(element)?.name === value;
		if (name === '#text') return holds(plain(element.text), value);
		if (name.startsWith('@')) return holds(plain(attributes.get(name.slice(1)) ?? ''), value);
		const own = children.filter((child) => child.name === name);
		if (own.length === 1 && own.every((only) => holds(only, value))) return true;
		const isRepeated = Array.isArray(value) && own.length === value.length;
		return isRepeated && own.every((row, at) => holds(row, value[at]));
	};
	const names = [
		...children.map(({ name }) => name),
		...[...attributes.keys()].map((name) => `@${name}`),
	];
	return Object.entries(values).every(isHeld) && names.every((name) => name in values);
}

/** The element inside the body of an envelope. */
function contentOf(envelope: string): XmlElement {
	const body = readXml(envelope).children.find(({ name }) => name === 'Body');
	const [content] = body?.children ?? [];
	if (content === undefined) throw new Error(`Nothing in ${envelope}`);
	return content;
}

describe.each(['1.1', '1.2'] as const)('operations beyond the interface, SOAP %s', (version) => {
	it.each(describedCalls.map((sample) => [sample.name, sample] as const))(
		'%s answers from the state, by the schema',
		async (_name, { then, ...first }) => {
			for (const sample of then === undefined ? [first] : [first, then]) {
				const reply = await call(sample, version);
				expect(reply.text).not.toContain('Fault>');
				expect(await service.sandbox.validate(sample.service, reply.text)).toEqual([]);
				const answer = contentOf(reply.text);
				expect(answer.name).toBe(`${sample.name}Response`);
				expect(holdsEach(answer, sample.response)).toBe(true);
				const sent = (await service.sandbox.requests()).at(-1);
				expect(sent).toMatchObject({ status: 200, violations: [] });
				expect(holdsEach(contentOf(sent?.body ?? ''), sample.request)).toBe(true);
			}
		},
	);
});

it('keep when it is written back unchanged', async () => {
	const content = '<EmployeeId>1007</EmployeeId>';
	const to = { service: 'EmployeeService', name: 'Employee_Get', body: content } as const;
	const { text } = await call(to);
	const record = /<Employee_GetResult( .*)<\/Employee_GetResult>/.exec(text)?.[1] ?? '';
	const body = `${content}<Employee${record}</Employee>`;
	const { text: answer } = await call({ ...to, name: 'Employee_Update', body });
	expect(answer).toContain(
		'<Employee_UpdateResult>false</Employee_UpdateResult><Version>1</Version><Warnings />',
	);
	expect((await call(to)).text).toBe(text);
});

it('the sample data of every employee and company are valid', async () => {
	for (let id = 1001; id <= 1060; id += 7) {
		for (const name of ['Employee_Get', 'Absence_GetList']) {
			const body = `<EmployeeId>${id}</EmployeeId>`;
			const { text } = await call({ service: 'EmployeeService', name, body });
			expect(await service.sandbox.validate('EmployeeService', text)).toEqual([]);
		}
	}
	for (const name of ['Company_Get', 'Department_GetTree', 'Department_GetList']) {
		const body = '<CompanyId>200</CompanyId>';
		const { text } = await call({ service: 'CompanyService', name, body });
		expect(await service.sandbox.validate('CompanyService', text)).toEqual([]);
	}
});

const absence = (content: string): string =>
	`<EmployeeId>1001</EmployeeId><Absence><Start>2026-09-01T09:00:00</Start>${content}</Absence>`;
const open = '<End xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:nil="true"/>';

it.each([
	['a required element that is left out', 'Employee_Get', '', 'EmployeeId'],
	[
		'an empty date',
		'Employment_GetList',
		'<EmployeeId>1001</EmployeeId><ReferenceDate/>',
		'xs:date',
	],
	[
		'an abstract type',
		'Employment_Insert',
		'<EmployeeId>1001</EmployeeId><Employment><StartDate>2026-01-01</StartDate></Employment>',
		'abstract',
	],
	['a choice without a branch', 'Absence_Insert', absence(open), 'Percentage'],
	[
		'two branches of a choice',
		'Absence_Insert',
		absence(`${open}<Percentage>1</Percentage><Hours>2</Hours><Cause>Sick</Cause>`),
		'Hours',
	],
	[
		'a number out of bounds',
		'Absence_Insert',
		absence(`${open}<Percentage>100.01</Percentage><Cause>Sick</Cause>`),
		'maxInclusive',
	],
	[
		'an unknown value of an enumeration',
		'Absence_Insert',
		absence(`${open}<Hours>1</Hours><Cause>SickChild</Cause>`),
		'enumeration',
	],
	['a malformed Guid', 'Document_Get', '<DocumentId>7001</DocumentId>', 'pattern'],
] as const)('a request with %s is refused', async (_what, name, body, message) => {
	const reply = await call({ service: 'EmployeeService', name, body });
	expect(reply).toMatchObject({ status: 500, text: expect.stringContaining(message) });
	expect((await service.sandbox.stats()).soapExecuted).toEqual({});
});

it.each([
	['Employee_Get', 'EmployeeService', '<EmployeeId>7</EmployeeId>', '1004: Employee 7'],
	[
		'Document_Get',
		'EmployeeService',
		'<DocumentId>00000000-0000-0000-0000-000000000000</DocumentId>',
		'1007: Document',
	],
	['Company_Get', 'CompanyService', '<CompanyId>7</CompanyId>', '1002: Company 7'],
] as const)(
	'%s faults on a key that the service does not have',
	async (name, to, body, message) => {
		const reply = await call({ service: to, name, body });
		expect(reply).toMatchObject({ status: 500, text: expect.stringContaining(message) });
	},
);

it('Employee_Update faults on a version that is not the latest', async () => {
	const { body = '' } = describedCalls.find(({ name }) => name === 'Employee_Update') ?? {};
	const to = { service: 'EmployeeService', name: 'Employee_Update', body } as const;
	await call(to);
	expect((await call(to)).text).toContain('is at version 2 now');
});
