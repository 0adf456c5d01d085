/**
 * A payroll service of plain `node:http`: it applies writes and answers them as a test says, and its records are there to
 * be looked at.
 */
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { close, listen } from '../../dev/listen.mts';
import { escapeXml, readXml, type XmlElement } from '../../dev/sandbox/xml.mts';
import { soapEnvelope, soapFault, XML } from './soap.mts';

/** A record, by the elements of the service; all values are texts. */
export interface Row {
	readonly [element: string]: string | Row;
}

/** Answers a call. @param reply answers with this inside of the response element */
export type Answer = (
	response: ServerResponse,
	token: string,
	reply: (content: string) => void,
) => void | Promise<void>;

/**
 * How a write is applied. `half` applies the first half of its rows, or of the fields of an address; `merged` keeps the
 * cost centers that were not sent; a number is after how many more reads of the employee.
 */
export type Applied = 'once' | 'twice' | 'half' | 'merged' | 'never' | number;

/** What the service does with a write. */
export interface Behaviour {
	readonly applies?: Applied;
	/** By default, its result. */
	readonly answer?: Answer | undefined;
	/** Answers reads of the same employee from then on. */
	readonly reads?: Answer | undefined;
}

/** A call that arrived. */
export interface Call {
	readonly name: string;
	/** The employee or company. */
	readonly who: string;
	/** Of the records that it is about, see {@link PlainService.records}. */
	readonly key: string;
	/** Those that stand there when it arrives. */
	readonly current: readonly Row[];
	/** Those that it sends. */
	readonly sent: readonly Row[];
}

/** Breaks the connection. */
export const lost: Answer = (response) => void response.destroy();
/** Never answers. */
export const hangs: Answer = () => undefined;
export const unavailable: Answer = (response) => void response.writeHead(503).end();

/** Answers with a fault of the server. */
export function serverFault(message: string, status = 500, headers = {}): Answer {
	const fault = soapFault(escapeXml(message));
	return (response) =>
		void response.writeHead(status, { 'Content-Type': XML, ...headers }).end(fault);
}

/** Answers with this content of the response element. */
export function answerOf(content: string): Answer {
	return (_response, _token, reply) => reply(content);
}

/** A nested record of a row; empty if it has none. */
export function recordIn(row: Row, name: string): Row {
	const value = row[name];
	return typeof value === 'object' ? value : {};
}

/** The code of a row's cost center. */
export const codeOf = (row: Row): string => String(recordIn(row, 'CostCenter').Code ?? '');

/** What a service makes of the records that it stores. */
type Normalisation = (rows: readonly Row[]) => readonly Row[];

const eachRow =
	(change: (row: Row) => Row): Normalisation =>
	(rows) =>
		rows.map(change);

/** Changes the texts of these elements, or of all. */
function texts(change: (text: string) => string, ...elements: string[]): Normalisation {
	const changed = (row: Row): Row =>
		Object.fromEntries(
			Object.entries(row).map(([name, value]) => {
				if (typeof value === 'object') return [name, changed(value)];
				return [name, elements.length === 0 || elements.includes(name) ? change(value) : value];
			}),
		);
	return eachRow(changed);
}

const upper = (value: string): string => value.toUpperCase();

/** What services do to records without changing what they mean. */
export const normalisations = {
	'drops rows of 0 %': (rows) => rows.filter(({ Percentage = '1' }) => Number(Percentage) !== 0),
	'gives cost centers new Ids': eachRow(({ Id = '', ...row }) =>
		'CostCenter' in row ? row : { Id, ...row },
	),
	'has its own descriptions': eachRow((row) => {
		if (!('CostCenter' in row)) return row;
		const Description = `Own ${codeOf(row)}`;
		return { ...row, CostCenter: { ...recordIn(row, 'CostCenter'), Description } };
	}),
	'knows the codes of cost centers': eachRow((row) => {
		const { Code, Id } = recordIn(row, 'CostCenter');
		const isKnown = !('CostCenter' in row) || Code !== undefined || Id === undefined;
		return isKnown ? row : { ...row, CostCenter: { Code: `C${String(Id)}`, Id } };
	}),
	'has codes and streets in upper case': texts(upper, 'Code', 'Street'),
	'has two decimals': texts((share) => Number(share).toFixed(2), 'Percentage'),
	'has a blank in postal codes': texts(
		(code) => code.replace(/^(\d{4})\s*([a-z]{2})$/i, '$1 $2'),
		'PostalCode',
	),
	'has countries in upper case': texts(upper, 'CountryISOCode'),
	'has the last row first': (rows) => [...rows].reverse(),
	'trims texts': texts((value) => value.trim()),
	'knows whether a row is the default': eachRow((row) => ({ Default: 'false', ...row })),
} as const satisfies Record<string, Normalisation>;

export type NormalisationName = keyof typeof normalisations;

function valuesOf(element: XmlElement): Row {
	const values = element.children.map((child) => {
		return [child.name, child.children.length > 0 ? valuesOf(child) : child.text];
	});
	return Object.fromEntries(values) as Row;
}

function write(row: Row): string {
	return Object.entries(row)
		.map(([name, value]) => {
			const content = typeof value === 'object' ? write(value) : escapeXml(value);
			return `<${name}>${content}</${name}>`;
		})
		.join('');
}

/** The current rows with those of the same codes replaced, and the others added. */
function merge(current: readonly Row[], rows: readonly Row[]): Row[] {
	const codes = rows.map(codeOf);
	return [...current.filter((row) => !codes.includes(codeOf(row))), ...rows];
}

const half = <T,>(all: readonly T[]): T[] => all.slice(0, Math.ceil(all.length / 2));

/** The records after a write. */
function applied(
	how: Applied,
	name: string,
	before: readonly Row[],
	sent: readonly Row[],
): readonly Row[] {
	if (name === 'CostCenter_Update') {
		if (how === 'half') return merge(before, half(sent));
		return how === 'merged' ? merge(before, sent) : sent;
	}
	const [address = {}] = sent;
	if (name === 'Address_Update') return sent;
	if (how === 'half') return [...before, Object.fromEntries(half(Object.entries(address)))];
	const again = how === 'twice' ? [{ ...address, Id: `${String(address.Id)}1` }] : [];
	return [...before, address, ...again];
}

const READS = ['Address_GetListCurrent', 'CostCenter_Get'];

/** A running service. */
export class PlainService {
	/** The calls that arrived, in order. */
	calls: Call[] = [];
	/** What it does with a write; a function is given the employee or company, and how many of its writes came before. */
	behaviour: Behaviour | ((who: string, index: number) => Behaviour) = {};
	normalises: readonly NormalisationName[] = [];
	/** By {@link costCentersOf}, or by the employee or company for addresses. */
	readonly records = new Map<string, readonly Row[]>();
	private readonly reads = new Map<string, Answer | undefined>();
	/** Writes that are not applied yet, and after how many more reads they are. */
	private pending: Array<{ who: string; left: number; apply: () => void }> = [];
	private nextId = 1;
	private readonly server = createServer(async (request, response) => {
		const { authorization = '' } = request.headers;
		await this.serve(await text(request), response, authorization.replace('Bearer ', ''));
	});

	private constructor() {}

	static async start(): Promise<PlainService & { readonly url: string }> {
		const service = new PlainService();
		return Object.assign(service, { url: `http://127.0.0.1:${await listen(service.server)}` });
	}

	async close(): Promise<void> {
		await close(this.server);
	}

	/** Forgets everything. */
	reset(): void {
		[this.calls, this.behaviour, this.normalises, this.pending] = [[], {}, [], []];
		this.records.clear();
		this.reads.clear();
	}

	/** Replaces records; those without an Id get one. */
	put(key: string, rows: readonly Row[]): void {
		this.records.set(
			key,
			rows.map((row) => ({ Id: this.newId(), ...row })),
		);
	}

	/** The names of the calls, in order. */
	called(who?: string): string[] {
		return this.calls.filter((one) => who === undefined || one.who === who).map(({ name }) => name);
	}

	/** How many writes arrived. */
	writes(who?: string): number {
		return this.called(who).filter((name) => !READS.includes(name)).length;
	}

	/** Applies what was delayed, and answers reads again. */
	recover(): void {
		for (const { apply } of this.pending.splice(0)) apply();
		this.reads.clear();
	}

	private newId(): string {
		this.nextId += 1;
		return String(this.nextId);
	}

	private async serve(body: string, response: ServerResponse, token: string): Promise<void> {
		const envelope = body.startsWith('<') ? readXml(body) : undefined;
		const call = envelope?.children.find(({ name }) => name === 'Body')?.children[0];
		if (call === undefined) return void response.writeHead(404).end();
		const { name, namespace } = call;
		const given = valuesOf(call);
		const who = String(given.EmployeeId ?? given.CompanyId);
		const period = [who, given.Period, given.Year].map(String).join(' ');
		const key = name.startsWith('CostCenter') ? period : who;
		const reply = (content: string): void => {
			const body = `<${name}Response xmlns="${namespace}">${content}</${name}Response>`;
			response.writeHead(200, { 'Content-Type': XML }).end(soapEnvelope(body));
		};
		const result = (content: string): Answer =>
			answerOf(`<${name}Result>${content}</${name}Result>`);
		const index = this.writes(who);
		const id = this.newId();
		const [list] = call.children.filter((child) => child.name === 'CostCenteren');
		const address = Object.assign({ Id: id }, recordIn(given, 'Address'), { Id: id });
		const sent: readonly Row[] = list?.children.map(valuesOf) ?? [address];
		const current = this.records.get(key) ?? [];
		this.calls.push({ name, who, key, current, sent });
		if (READS.includes(name)) {
			const type = name === 'CostCenter_Get' ? 'EmployeeCostCenter' : 'EmployeeAddress';
			const rows = current.map((row) => `<${type}>${write(row)}</${type}>`);
			await (this.reads.get(who) ?? result(rows.join('')))(response, token, reply);
			const mine = this.pending.filter((one) => one.who === who);
			for (const one of mine) one.left -= 1;
			for (const { apply } of mine.filter(({ left }) => left === 0)) apply();
			this.pending = this.pending.filter(({ left }) => left > 0);
			return;
		}
		const { behaviour } = this;
		const plays = typeof behaviour === 'function' ? behaviour(who, index) : behaviour;
		const { applies = 'once', answer, reads } = plays;
		const apply = (how: Applied): void => {
			const stored = applied(how, name, this.records.get(key) ?? [], sent);
			this.put(
				key,
				this.normalises.reduce((rows, one) => normalisations[one](rows), stored),
			);
		};
		if (typeof applies === 'number') {
			this.pending.push({ who, left: applies, apply: () => apply('once') });
		} else if (applies !== 'never') apply(applies);
		this.reads.set(who, reads);
		const usual = name === 'Address_Insert' ? result(id) : answerOf('');
		await (answer ?? usual)(response, token, reply);
	}
}

/** The key of an employee's cost centers in {@link PlainService.records}. */
export const costCentersOf = (employee: number, period = 6): string => `${employee} ${period} 2026`;
