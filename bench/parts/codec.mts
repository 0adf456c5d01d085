/** Reading and writing SOAP messages, compared with general-purpose libraries. */
import { XMLBuilder, XMLParser } from 'fast-xml-parser';
import { WSDL } from 'soap';
import { Builder, parseString } from 'xml2js';
import {
	costCenterGet,
	costCenterUpdate,
	soapOperations,
} from '../../nodes/shared/contract/operations.ts';
import type * as envelope from '../../nodes/shared/soap/write.ts';
import type * as response from '../../nodes/shared/soap/read.ts';
import { soapResponse } from '../../dev/sandbox/soap-reply.mts';
import { type Row, sampleState } from '../../dev/sandbox/state.mts';
import { wsdl } from './wsdl.mts';
import { readXml, type XmlElement } from '../../dev/sandbox/xml.mts';
import { built } from '../dist.mts';
import { figureOf, ratioOf, timeCalls } from '../measure.mts';
import { goal, type Goal, type Part, type Table } from '../report.mts';

const COUNTS = [10, 1000];

/** How many times the speed of the `soap` package is wanted. */
const GOALS = { Decode: 1, Encode: 4 } as const;

const ROOT = 'http://payroll.example/soap/v3';
const SERVICE = 'EmployeeService';
const NAMESPACE = `${ROOT}/${SERVICE}`;
const ROW = 'EmployeeCostCenter';

type Contender = 'this package' | 'soap' | 'xml2js' | 'fast-xml-parser';
/** One function for each contender. */
type Each<T> = Readonly<Record<Contender, () => T>>;

const { wrapRequest, writeRequest } = built<typeof envelope>('soap/write');
const { readAnswer } = built<typeof response>('soap/read');

/** The service as the `soap` package knows it. */
async function description(): Promise<WSDL> {
	const text = wsdl(soapOperations, SERVICE, {
		namespace: ROOT,
		address: 'http://payroll.example',
	});
	const service = new WSDL(text, 'payroll.wsdl', {});
	await new Promise<void>((ready, failed) => {
		service.onReady((error: Error | null | undefined) => (error ? failed(error) : ready()));
	});
	return service;
}

/** Sample cost centers of the service, with every field set. */
function sampleRows(count: number): readonly Row[] {
	const rows = [...sampleState(count).employees.values()].flatMap(({ costCenters }) => costCenters);
	return rows.slice(0, count);
}

/** The service's answer with these rows. */
function answerWith(rows: readonly Row[]): string {
	const result = { type: ROW, rows };
	const { name: operation } = costCenterGet;
	return String(soapResponse('1.1', { namespace: NAMESPACE, operation, result }).body);
}

function read(answer: string) {
	const envelope = readAnswer(costCenterGet, NAMESPACE, answer);
	if (envelope.kind !== 'result') throw new Error(envelope.kind);
	return envelope.result['CostCenter_GetResult'];
}

function decoders(service: WSDL, answer: string): Each<unknown> {
	const parser = new XMLParser();
	return {
		'this package': () => read(answer),
		soap: () => service.xmlToObject(answer) as unknown,
		xml2js() {
			let result: unknown;
			// By default it calls back before it returns.
			parseString(answer, (error, parsed: unknown) => {
				if (error !== null) throw error;
				result = parsed;
			});
			return result;
		},
		'fast-xml-parser': () => parser.parse(answer) as unknown,
	};
}

function encoders(service: WSDL, answer: string): Each<string> {
	const connection = { domain: 'demo', soapNamespace: ROOT, soapVersion: '1.1' } as const;
	const request = { EmployeeId: 1001, CostCenteren: read(answer), Period: 6, Year: 2026 };
	const nested = { ...request, CostCenteren: { [ROW]: request.CostCenteren } };
	const { name } = costCenterUpdate;
	const xml2js = new Builder();
	const fastXmlParser = new XMLBuilder();
	return {
		'this package': () =>
			wrapRequest(connection, costCenterUpdate, writeRequest(costCenterUpdate.request, request)),
		soap: () => service.objectToDocumentXML(name, nested, 'tns', NAMESPACE, name) as string,
		xml2js: () => xml2js.buildObject({ [name]: nested }),
		'fast-xml-parser': () => fastXmlParser.build({ [name]: nested }),
	};
}

/** A summary of records: their number, and two values of the last. */
type Found = Readonly<Record<'count' | 'id' | 'share', unknown>>;

function summary(records: ReadonlyArray<Readonly<Record<string, unknown>>>): Found {
	const last = records.at(-1);
	return { count: records.length, id: String(last?.Id), share: String(last?.Percentage) };
}

/** The records in what a contender read, however deep. */
function recordsIn(value: unknown): Array<Readonly<Record<string, unknown>>> {
	if (typeof value !== 'object' || value === null) return [];
	if ('Percentage' in value) return [value as Readonly<Record<string, unknown>>];
	return Object.values(value).flatMap(recordsIn);
}

/** The records in what a contender wrote. */
function recordsOf({ name, children }: XmlElement): Array<Readonly<Record<string, unknown>>> {
	if (name !== ROW) return children.flatMap(recordsOf);
	return [Object.fromEntries(children.map((child) => [child.name, child.text]))];
}

/** Throws if a contender leaves something out, which would only make it seem fast. */
function check(contender: string, found: Found, rows: readonly Row[]): void {
	const [is, should] = [found, summary(rows)].map((part) => JSON.stringify(part));
	if (is !== should) throw new Error(`${contender}: expected ${should}, got ${is}`);
}

const named = <T,>(each: Readonly<Record<Contender, T>>): Array<[Contender, T]> =>
	Object.entries(each) as Array<[Contender, T]>;

/** The result of one direction at one count: rows of the table, and goals. */
interface Measured {
	readonly rows: Table['rows'];
	readonly goals: readonly Goal[];
}

/** @param bytes returns the length of the message that a contender reads or writes */
async function measureCalls(
	title: keyof typeof GOALS,
	count: number,
	contenders: Each<unknown>,
	bytes: (contender: Contender) => number,
): Promise<Measured> {
	const samples = await timeCalls(contenders, { rounds: 15, sliceMs: 50 });
	const shown = count.toLocaleString('en');
	const row = ([name, times]: readonly [Contender, readonly number[]]): Table['rows'][number] => {
		const size = bytes(name);
		return {
			name: `${shown}, ${name}`,
			cells: [
				{ figure: figureOf(times), unit: 'µs' },
				{ figure: figureOf(times.map((time) => size / time)), unit: 'MB/s' },
				{ figure: ratioOf(samples.soap, times), unit: '×' },
			],
		};
	};
	const speed = ratioOf(samples.soap, samples['this package']);
	const text = `Codec: ${title.toLowerCase()} ${shown} records, times the speed of \`soap\``;
	const goals = [goal(text, speed, '×', { atLeast: GOALS[title] })];
	return { rows: named(samples).map(row), goals };
}

export const codec: Part = {
	name: 'codec',
	title: 'Codec',
	about:
		'Answers of CostCenter_Get decoded, and requests of CostCenter_Update encoded, by their number of records. Speed is relative to the `soap` package, which also gives typed values. xml2js and fast-xml-parser, with their defaults, know no namespaces and no types, and fast-xml-parser accepts a truncated answer. Only this package checks what it encodes, and writes the envelope.',
	async measure() {
		const service = await description();
		const decoded: Measured[] = [];
		const encoded: Measured[] = [];
		for (const count of COUNTS) {
			const rows = sampleRows(count);
			const answer = answerWith(rows);
			const readers = decoders(service, answer);
			const writers = encoders(service, answer);
			for (const [name, reader] of named(readers)) {
				check(name, summary(recordsIn(reader())), rows);
				check(name, summary(recordsOf(readXml(writers[name]()))), rows);
			}
			const size = Buffer.byteLength(answer);
			decoded.push(await measureCalls('Decode', count, readers, () => size));
			const sizeOf = (name: Contender) => Buffer.byteLength(writers[name]());
			encoded.push(await measureCalls('Encode', count, writers, sizeOf));
		}
		const table = (title: string, measured: readonly Measured[]): Table => ({
			title,
			columns: ['Time', 'Throughput', 'Speed'],
			rows: measured.flatMap(({ rows }) => rows),
		});
		return {
			tables: [table('Decode', decoded), table('Encode', encoded)],
			goals: [...decoded, ...encoded].flatMap(({ goals }) => goals),
		};
	},
};
