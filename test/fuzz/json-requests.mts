/** The way of a JSON input: an envelope that says exactly this, or an InputError that names a place. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { type Field, type Fields, rowName } from '../../nodes/shared/contract/fields.ts';
import { soapOperations } from '../../nodes/shared/contract/operations.ts';
import type { Operation } from '../../nodes/shared/contract/operation.ts';
import { InputError } from '../../nodes/shared/errors/InputError.ts';
import type { InputItem } from '../../nodes/shared/form/inputItem.ts';
import { json, parameterName, specify } from '../../nodes/shared/form/names.ts';
import { readCallRequest } from '../../nodes/shared/form/mapping/items.ts';
import { itemWith } from '../support/items.mts';
import { writeEnvelope } from '../support/soap.mts';
import type { SoapVersion } from '../../nodes/shared/credential/connection.ts';
import { comparableFields, valueOf } from '../support/arbitraries.mts';
import { bomb } from './bombs.mts';
import { readXml, type XmlElement } from '../../dev/sandbox/xml.mts';
import { jsonText } from './json-texts.mts';
import { jsonMutation, mutated } from './mutations.mts';
import { target, typedError } from './target.mts';

interface Input {
	readonly operation: Operation;
	readonly soapVersion: SoapVersion;
	/** By element name: the JSON text of a record, or the value of a scalar. */
	readonly parameters: Readonly<Record<string, unknown>>;
}

const isJson = (field: Field): boolean => field.kind === 'record' || field.kind === 'list';

/** A value that an expression gives, by its text: it may nest too deep to be written down again. */
class Parsed {
	constructor(readonly text: string) {}

	get value(): unknown {
		try {
			return JSON.parse(this.text);
		} catch {
			return this.text;
		}
	}
}

function parameterOf(field: Field): fc.Arbitrary<unknown> {
	const good = valueOf(field);
	const strange = fc.oneof(
		{ weight: 8, arbitrary: jsonText },
		{ weight: 1, arbitrary: bomb },
		{ weight: 1, arbitrary: bomb.map((street) => `{"Street":${JSON.stringify(street)}}`) },
	);
	if (isJson(field)) {
		return fc.oneof(
			{
				weight: 3,
				arbitrary: mutated(
					good.map((value) => JSON.stringify(value)),
					jsonMutation,
				),
			},
			{ weight: 1, arbitrary: strange },
			// An expression gives the value itself.
			{
				weight: 1,
				arbitrary: fc.oneof(
					good,
					strange.map((text) => new Parsed(text)),
				),
			},
		);
	}
	return fc.oneof(
		{ weight: 20, arbitrary: good },
		{ weight: 1, arbitrary: strange.map((text) => new Parsed(text)) },
		{
			weight: 1,
			arbitrary: fc.anything({ withBigInt: true, withDate: true, withSparseArray: true }),
		},
	);
}

const inputsFor = (operation: Operation): fc.Arbitrary<Input> =>
	fc.record({
		operation: fc.constant(operation),
		soapVersion: fc.constantFrom('1.1', '1.2'),
		parameters: fc.record(
			Object.fromEntries(
				Object.entries<Field>(operation.request.fields).map(([name, field]) => [
					name,
					parameterOf(field),
				]),
			),
		),
	});

/** The node's parameters as the engine hands them over, expressions already worked out. */
function itemOf({ operation, parameters }: Input): InputItem {
	const values: Record<string, unknown> = {};
	for (const [name, field] of Object.entries<Field>(operation.request.fields)) {
		if (isJson(field)) values[specify(name)] = 'json';
		const given = parameters[name];
		values[isJson(field) ? json(name) : parameterName(name)] =
			given instanceof Parsed ? given.value : given;
	}
	return itemWith((name, fallback) => values[name] ?? fallback);
}

function valueIn(field: Field, element: XmlElement): unknown {
	if (field.kind === 'record') return valuesIn(field.fields, element);
	if (field.kind === 'list') {
		return element.children.map((row) => {
			if (row.name !== rowName(field))
				throw new Error(`${row.name} among rows of ${rowName(field)}`);
			return valueIn(field.of, row);
		});
	}
	if (element.children.length > 0) throw new Error(`Elements in ${element.name}`);
	return element.text;
}

/** What an element says, once its children stand in the contract's order and no other are there. */
function valuesIn(fields: Fields, element: XmlElement): Record<string, unknown> {
	const order = Object.keys(fields);
	const found = element.children.map(({ name }) => order.indexOf(name));
	if (found.some((place, i) => place < 0 || (i > 0 && place <= (found[i - 1] ?? -1)))) {
		throw new Error(`Not the contract's order in ${element.name}`);
	}
	return Object.fromEntries(
		element.children.map((child) => [child.name, valueIn(fields[child.name] as Field, child)]),
	);
}

export const jsonRequests = target<Input>({
	inputs: fc.oneof(...soapOperations.map(inputsFor)),
	expected: ['envelope', 'InputError'],
	show: ({ operation, soapVersion, parameters }) =>
		Buffer.from(fc.stringify({ operation: operation.name, soapVersion, parameters })),
	run(input) {
		const { operation, soapVersion } = input;
		const connection = {
			domain: 'demo',
			soapNamespace: 'http://payroll.example/soap/v3',
			soapVersion,
		};
		try {
			const { request } = readCallRequest(operation.request.fields, [itemOf(input)]);
			const envelope = writeEnvelope(connection, operation, request);
			return {
				kind: 'envelope',
				check() {
					const [, body] = readXml(envelope).children;
					const [call] = body?.children ?? [];
					if (call?.name !== operation.name) throw new Error(`The call is ${call?.name}`);
					const { fields } = operation.request;
					const said = comparableFields(fields, valuesIn(fields, call));
					const meant = comparableFields(fields, request);
					if (!isDeepStrictEqual(said, meant)) throw new Error('The envelope says something else');
				},
			};
		} catch (error) {
			if (!(error instanceof InputError)) throw error;
			const known = error.problems.every(({ path: [first = ''] }) =>
				Object.hasOwn(operation.request.fields, first),
			);
			if (!known || error.problems.length === 0) throw new Error(`No place: ${error.message}`);
			return typedError(error);
		}
	},
});
