/** The `soap` package as an independent implementation: what it reads, in the contract's terms. */
import { createServer } from 'node:http';
import fc from 'fast-check';
import { Server, WSDL, type IServerOptions } from 'soap';
import { rowName, type Field, type Fields } from '../../nodes/shared/contract/fields.ts';
import { resultField, type Operation } from '../../nodes/shared/contract/operation.ts';
import type { Connection, SoapVersion } from '../../nodes/shared/credential/connection.ts';
import { close, listen } from '../../dev/listen.mts';
import { wsdl } from '../../dev/package/wsdl.mts';
import { fieldsOf } from './arbitraries.mts';
import { connectionTo } from './exchange.mts';

/**
 * Options for both sides: texts stay unchanged, and decimals stay digits, since a number would lose
 * some of them.
 */
const faithful = {
	preserveWhitespace: true,
	customDeserializer: { decimal: (text: string) => text },
};

/** Applies a function to every text of a value. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
	if (typeof value === 'string') return change(value);
	if (Array.isArray(value)) return value.map((row) => mapTexts(row, change));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, part]) => [name, mapTexts(part, change)]),
	);
}

/** Removes CDATA marks: the `soap` package writes a text that looks like a CDATA section unescaped. */
export const withoutCdata = (text: string): string => text.replaceAll('<![CDATA[', '');

/** Any request that the contract allows, with every text changed by a function. */
export function requestOf(
	operation: Operation,
	change: (text: string) => string = (text) => text,
): fc.Arbitrary<Record<string, unknown>> {
	return fieldsOf(operation.request.fields).map(
		(values) => mapTexts(values, change) as Record<string, unknown>,
	);
}

/** Rows as the `soap` package carries them: under their type's name. */
export function toSoap(field: Field, value: unknown): unknown {
	return field.kind === 'list' ? { [rowName(field)]: value } : value;
}

/** What the `soap` package read, in the contract's terms; it gives null for an empty element. */
function fromSoap(field: Field, value: unknown): unknown {
	switch (field.kind) {
		case 'int':
			return Number(value);
		case 'boolean':
			return value === true || value === 'true';
		case 'record':
			return fieldsFromSoap(field.fields, (value ?? {}) as Record<string, unknown>);
		case 'list': {
			const rows = (value ?? {}) as Record<string, unknown>;
			if (!(rowName(field) in rows)) return [];
			return [rows[rowName(field)]].flat().map((row) => fromSoap(field.of, row));
		}
		default:
			return String(value ?? '');
	}
}

export function fieldsFromSoap(
	fields: Fields,
	values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(values).map(([name, value]) => {
			const field = fields[name];
			if (field === undefined) throw new Error(`The soap package read an unknown ${name}`);
			return [name, fromSoap(field, value)];
		}),
	);
}

/** One call as the `soap` package's server received it. */
export interface Received {
	readonly operation: string;
	readonly values: Record<string, unknown>;
	readonly domain: unknown;
	readonly contentType: string | undefined;
	readonly soapAction: string | undefined;
}

/** A running server of the `soap` package. */
export interface IndependentServer {
	readonly connection: Connection;
	/** The call that came last. */
	last(): Received;
	/** Sets the result of every operation from now on, in the contract's terms. */
	answer(result: unknown): void;
	close(): Promise<void>;
}

/** Serves a service by the `soap` package, from the WSDL that is derived from the contract. */
export async function serve(
	operations: readonly Operation[],
	service: string,
	soapVersion: SoapVersion,
): Promise<IndependentServer> {
	const server = createServer();
	const url = `http://127.0.0.1:${await listen(server)}`;
	const connection = connectionTo(url, { soapVersion });
	const path = `/soap/v3/${service}.asmx`;
	const xml = wsdl(operations, service, {
		address: `${url}${path}`,
		namespace: connection.soapNamespace,
	});
	let last: Received | undefined;
	let result: unknown;
	const methods = Object.fromEntries(
		operations.map((operation) => [
			operation.name,
			(...[args, , headers, request]: Handed): object => {
				last = {
					operation: operation.name,
					values: fieldsFromSoap(operation.request.fields, args ?? {}),
					domain: headers?.AuthHeaderWithDomain?.Domain,
					contentType: request?.headers['content-type'],
					soapAction: request?.headers.soapaction,
				};
				const [name, field] = resultField(operation) ?? [];
				return name && field ? { [name]: toSoap(field, result) } : {};
			},
		]),
	);
	await new Promise<void>((ready, failed) => {
		const options: IServerOptions & typeof faithful = {
			...faithful,
			path,
			services: { [service]: { [`${service}Soap`]: methods, [`${service}Soap12`]: methods } },
			forceSoap12Headers: soapVersion === '1.2',
			callback: (error: unknown) => (error ? failed(error) : ready()),
		};
		const description = new WSDL(xml, '', options);
		// The package hands this option to its client only.
		description.options.preserveWhitespace = true;
		new Server(server, path, options.services, description, options);
	});
	return {
		connection,
		last() {
			if (last === undefined) throw new Error('No call was received');
			return last;
		},
		answer(value) {
			result = value;
		},
		close: async () => await close(server),
	};
}

type Handed = [
	args: Record<string, unknown> | null,
	callback?: unknown,
	headers?: { AuthHeaderWithDomain?: { Domain?: unknown } },
	request?: { headers: { 'content-type'?: string; soapaction?: string } },
];
