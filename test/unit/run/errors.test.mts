import {
	ApplicationError,
	type IDataObject,
	type IExecuteFunctions,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';
import { costCenterUpdate } from '../../../nodes/shared/contract/operations.ts';
import { type EarlierOutcome, ServiceError } from '../../../nodes/shared/errors/ServiceError.ts';
import { Redactor } from '../../../nodes/shared/run/redact.ts';
import {
	InputError,
	type Path,
	type ProblemCode,
} from '../../../nodes/shared/errors/InputError.ts';
import { toToolError } from '../../../nodes/shared/host/errors.ts';
import {
	errorData,
	presentableError,
	serviceErrorData,
	toNodeError,
} from '../../../nodes/shared/run/errors.ts';
import { inputItems } from '../../support/items.mts';

const node = { id: '1', name: 'Payroll', type: 'payroll', typeVersion: 1, position: [0, 0] };
const context = {
	getNode: () => node,
	getNodeParameter: (_name: string, _item: number, fallback: unknown) => fallback,
};
const itemAt = (index: number) => inputItems(context, [index])[0];

type Shown = Parameters<typeof toNodeError>[1]['action'];

const common = { properties: [], keysInItems: (_: unknown, own: IDataObject) => own };
const read: Shown = { ...common, effect: 'read', request: {} };
/** An update of cost centers: elements with labels, and rows. */
const update: Shown = { ...common, effect: 'write', request: costCenterUpdate.request.fields };
const keys = { EmployeeId: 1001, Period: 6 };

const no = 'No';
const key = '5f0c2c0b7a1e4d5c9b8a7f6e5d4c3b2a';

/** The error of a node for an error of a call that reads, without keys. */
const ofRead = (error: unknown) =>
	toNodeError(error, {
		items: [itemAt(0)],
		action: read,
		keys: {},
		redactor: new Redactor([]),
		earlier: undefined,
	});
/** The error of a node for an error of the update, for the input item 3. */
const ofUpdate = (
	error: unknown,
	action: Shown = update,
	about: IDataObject = keys,
	earlier?: EarlierOutcome,
) =>
	toNodeError(error, {
		...{ items: [itemAt(3)], action, keys: about, earlier },
		redactor: new Redactor([key]),
	});

it('the advice for a failure of a read that may pass is to run it again later', () => {
	const advice = (isTransient: boolean) =>
		ofRead(new ServiceError('SERVICE_ERROR', 'serverError', no, 'Wait.', { isTransient }))
			.description;
	expect(advice(true)).toBe('Wait. Run it again later.');
	expect(advice(false)).toBe('Wait.');
});

describe('an unexpected error', () => {
	it('is a bug to report, of unknown outcome, with its stack for the log', () => {
		const error = ofUpdate(new TypeError(`No ${key}`));
		expect(error).toMatchObject({
			name: 'NodeApiError',
			level: 'error',
			message: 'Unexpected error: No ***',
			description:
				'This is a bug of the node, please report it. If n8n logs errors, its log has the details. The change may have been applied: look in the payroll service before you send it again. Employee ID 1001, Period 6.',
			context: { itemIndex: 3, data: { code: 'UNEXPECTED', request: keys, outcome: 'unknown' } },
			stack: expect.stringMatching(/^TypeError: No \*\*\*\n\s+at \S/),
		});
	});

	it('may be anything', () => {
		expect(ofRead(undefined).message).toBe('Unexpected error: undefined');
		expect(ofRead(new TypeError('No')).description).not.toContain('change');
	});
});

it.each([
	['an advice of its own', { description: `Look ${key}.` }, 'Look ***.'],
	['no advice', {}, 'Check the values and expressions of this item.'],
])("an error of n8n's with %s keeps its words", (_, fields, advice) => {
	const error = Object.assign(new ApplicationError(`No ${key}`), fields);
	const request = { EmployeeId: 1001 };
	expect(ofUpdate(error, read, request)).toMatchObject({
		name: 'NodeOperationError',
		message: 'No ***',
		description: `${advice} EmployeeId 1001.`,
		context: { itemIndex: 3, data: { code: 'N8N_ERROR', request } },
	});
});

describe('an error of the service', () => {
	const full = new ServiceError('SERVICE_ERROR', 'serverError', `No ${key}`, `Look ${key}.`, {
		httpStatus: 502,
		serviceCode: '2011',
		details: `Got ${key}`,
	});
	const bare = new ServiceError('REFUSED', 'statusRefusal', no);
	const codes = { code: 'SERVICE_ERROR', httpStatus: 502, serviceCode: '2011' };

	it('of a write has the outcome, the keys, the item and all codes', () => {
		const error = ofUpdate(full);
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			message: 'No ***',
			description:
				'Look ***. The change may have been applied: look in the payroll service before you send it again. Employee ID 1001, Period 6.',
			httpCode: '502',
		});
		const data = { request: keys, ...codes, details: 'Got ***', outcome: 'unknown' };
		expect(error.context).toMatchObject({ itemIndex: 3, data });
		expect(errorData(error)).toEqual({
			message: error.message,
			description: error.description,
			...data,
		});
	});

	it('has no fields without values', () => {
		const error = ofRead(bare);
		expect(errorData(error)).toStrictEqual({ message: 'No', code: 'REFUSED' });
		expect(error).toMatchObject({
			httpCode: null,
			context: { itemIndex: 0, data: { code: 'REFUSED' } },
		});
		expect(ofUpdate(bare, update, {}).description).toBe('The change was not applied.');
	});

	it('masks a secret among the keys', () => {
		expect(ofUpdate(bare, read, { EmployeeId: key }).description).toBe('EmployeeId ***.');
	});

	it('is cut: title and advice at 1000, details at 4000 characters', () => {
		const [long, details] = ['a-'.repeat(501), 'b-'.repeat(2001)];
		const error = new ServiceError('REFUSED', 'statusRefusal', long, long, { details });
		expect(serviceErrorData(error, new Redactor([]))).toEqual({
			code: 'REFUSED',
			message: `${long.slice(0, 1000)}…`,
			description: `${long.slice(0, 1000)}…`,
			details: `${details.slice(0, 4000)}…`,
		});
		expect(presentableError(error, new Redactor([]))).toMatchObject(
			serviceErrorData(error, new Redactor([])),
		);
	});

	it('is masked to be stored, and otherwise unchanged', () => {
		const transient = new ServiceError('BUSY', 'busy', no, undefined, { isTransient: true });
		for (const error of [bare, transient])
			expect(presentableError(error, new Redactor([key]))).toEqual(error);
		const masked = { message: 'No ***', description: 'Look ***.', details: 'Got ***' };
		const kept = { ...codes, kind: 'serverError' };
		expect(presentableError(full, new Redactor([key]))).toMatchObject({ ...masked, ...kept });
	});
});

describe('a value that is not allowed', () => {
	const problem = (path: Path, text: string, code: ProblemCode = 'VALUE_INVALID') => ({
		...{ code, path, text },
	});
	const costType = ['CostCenteren', 2, 'Kostensoort', 'Code'];

	it('of a call that reads says that nothing was sent', () => {
		const wrong = new InputError([problem(['Period'], `: ${key} is not a number.`)]);
		expect(ofUpdate(wrong, { ...update, effect: 'read' }, {})).toMatchObject({
			message: "'Period': *** is not a number.",
			description: 'Nothing was sent for this item. Correct the value.',
			context: { data: { code: 'VALUE_INVALID' } },
		});
	});

	it('has the code of its problems, if they have the same', () => {
		const codeOf = (...codes: ProblemCode[]) =>
			ofUpdate(new InputError(codes.map((code) => problem(['Period'], ' is …', code)))).context
				.data;
		expect(codeOf('VALUE_EMPTY')).toMatchObject({ code: 'VALUE_EMPTY' });
		expect(codeOf('VALUE_EMPTY', 'VALUE_EMPTY')).toMatchObject({ code: 'VALUE_EMPTY' });
		expect(codeOf('VALUE_EMPTY', 'VALUE_REQUIRED')).toMatchObject({ code: 'VALUE_INVALID' });
	});

	it('is named by its label, together with the others of the call, and the call by its keys', () => {
		const error = ofUpdate(
			new InputError([
				problem(['Period'], ' is empty.'),
				problem(costType, ': true is not a text.'),
			]),
		);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({
			message:
				"2 values cannot be used:\n• 'Period' is empty.\n• Row 3, 'Cost Type Code': true is not a text.",
			description:
				'Nothing was written for this item. Correct the values. Employee ID 1001, Period 6.',
			context: { itemIndex: 3, data: { request: keys } },
		});
	});

	it('is one of at most ten that are listed', () => {
		const rows = (count: number) =>
			ofUpdate(
				new InputError(
					Array.from({ length: count }, (_, row) =>
						problem(['CostCenteren', row, 'Percentage'], ` ${'x'.repeat(150)}`),
					),
				),
			).message.split('\n');
		expect(rows(10)).toHaveLength(11);
		expect(rows(10).at(-1)).toMatch(/^• Row 10, 'Percentage' x{150}$/);
		expect(rows(12).slice(-2)).toEqual([rows(10).at(-1), '• and 2 more']);
		expect(rows(100)[0]).toBe('At least 100 values cannot be used:');
	});

	it('names the row that holds it, as its sheet counts it', () => {
		const own = {
			...context,
			getNodeParameter: (name: string, _: number, fallback: unknown) =>
				name === 'specifyCostCenteren' ? 'items' : fallback,
			getInputData: () => Object.assign([], { 9: { json: { row_number: 20 } } }),
		};
		const items = inputItems(own, [4, 7, 9]);
		const of = (path: Path) =>
			toNodeError(new InputError([problem(path, ' is empty.')]), {
				...{ items, action: update, keys, earlier: undefined },
				redactor: new Redactor([]),
			});
		expect(of(costType)).toMatchObject({
			message: "Row 20, 'Cost Type Code' is empty.",
			description: expect.stringMatching(/Period 6, rows 6, 9 and 20\.$/),
			context: expect.not.objectContaining({ itemIndex: expect.anything() }),
		});
		expect(of(['EmployeeId'])).toMatchObject({
			message: "Row 6, 'Employee ID' is empty.",
		});
	});
});

it.each([
	['the service', new ServiceError('FAULT_UNCLEAR', 'faultUnclear', 'EmployeeExists: No')],
	[
		'a value',
		new InputError([{ code: 'VALUE_EMPTY', path: [], text: '"ECONNRESET" is not a text.' }]),
	],
])(
	'n8n does not replace a message that contains an error code of Node.js: the error of %s',
	(_, error) => {
		expect(ofUpdate(error).message).toBe(error.message);
	},
);

describe('an error of an item that an earlier run wrote', () => {
	const told = (earlier: EarlierOutcome, error: unknown) => {
		const { description, context } = ofUpdate(error, update, keys, earlier);
		return [description, (context.data as IDataObject).outcome];
	};
	const empty = { code: 'VALUE_EMPTY', path: ['Period'], text: ' is empty.' } as const;
	const applied =
		'The run before applied this item, with the values that it had then. A retry with other values writes it again. Employee ID 1001, Period 6.';

	it.each([
		['a value', new InputError([empty]), `Nothing was sent now. Correct the value. ${applied}`],
		[
			'the credential',
			new ServiceError('ANY', 'readOnly', no, 'Nothing was sent.'),
			`Nothing was sent. Now nothing was applied. ${applied}`,
		],
		[
			"n8n's own error",
			new NodeOperationError({ ...node, parameters: {} } as never, no),
			`Check the values and expressions of this item. ${applied}`,
		],
	])('says so: %s', (_, error, description) => {
		expect(told('applied', error)).toEqual([description, 'applied']);
	});

	it.each([
		[
			'unknown',
			'The run before may have applied this item, with the values that it had then: look',
		],
		['refused', 'In the run before, the service gave a code for this item; usually nothing'],
	] as const)('that is %s says so', (outcome, sentence) => {
		const [description, own] = told(outcome, new InputError([empty]));
		expect(description).toContain(`Nothing was sent now. Correct the value. ${sentence}`);
		expect(own).toBe(outcome);
	});
});

it("n8n's own error is kept, and gets the item if it has none", () => {
	const own = { ...node, parameters: {} } as never;
	const errors = [{}, { itemIndex: 0 }].map((item) => new NodeOperationError(own, 'No', item));
	for (const error of errors) expect(ofUpdate(error)).toBe(error);
	expect(errors.map(({ context: { itemIndex } }) => itemIndex)).toEqual([3, 0]);
	expect(errors.map(errorData)).toEqual(
		Array(2).fill({ message: 'No', code: 'N8N_ERROR', outcome: 'notApplied' }),
	);
});

describe('the error for the caller', () => {
	const toCaller = (type: string, message: string, description?: string) => {
		const own = { getNode: () => ({ ...node, type }) } as unknown as IExecuteFunctions;
		const error = toNodeError(new ServiceError('READING', 'reading', message, description), {
			...{ items: inputItems(own, [0]), action: read, keys: {}, earlier: undefined },
			redactor: new Redactor([]),
		});
		return [error, toToolError(own.getNode(), error)] as const;
	};

	it.each([
		['Step 1.2 failed.', 'Step 1.2 failed'],
		['connect ECONNRESET.', 'connect ECONNRESET'],
	])('of a tool has everything in the message: %s', (message, sentence) => {
		const [error, told] = toCaller('payrollTool', message, 'Wait. Look.');
		expect(told).toBeInstanceOf(NodeOperationError);
		expect(told.message).toBe(`${sentence}. Wait. Look.`);
		expect(told.description).toBeNull();
		expect(told.context).toBe(error.context);
	});

	it('of another node is the error as it is', () => {
		const [error, told] = toCaller('payroll', 'No. 1.', 'Wait.');
		expect(told).toBe(error);
		expect(told.message).toBe('No. 1.');
	});

	const onlyBuilder = 'You cannot change that: ask the user.';
	it.each([
		['No. 1.', undefined, 'No. 1.'],
		[
			'The credential is read-only',
			"Nothing was sent. To write with it, turn off 'Read Only' in the credential.",
			"The credential is read-only. Nothing was sent. To write with it, ask the user whether to turn off 'Read Only' in the credential.",
		],
		['No', "Turn on 'Any Period'.", "No. Ask the user whether to turn on 'Any Period'."],
		[
			'No',
			"Check 'Scopes' in the credential.",
			`No. Check 'Scopes' in the credential. ${onlyBuilder}`,
		],
		[
			'No',
			"Raise 'Page Size' in the node's options.",
			`No. Raise 'Page Size' in the node's options. ${onlyBuilder}`,
		],
		['It returns on', 'Wait.', 'It returns on. Wait.'],
	])('of a tool leaves what the user decides to the user: %s, %s', (message, description, text) => {
		expect(toCaller('payrollTool', message, description)[1].message).toBe(text);
	});
});
