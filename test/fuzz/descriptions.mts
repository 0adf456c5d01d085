/**
 * The reader of a service's own description: any text gives operations or an UnreadableError. Of each
 * operation, the fields of the form are made, and sample values checked and written.
 */
import fc from 'fast-check';
import type { Field, RecordContent } from '../../nodes/shared/contract/fields.ts';
import type { Operation } from '../../nodes/shared/contract/operation.ts';
import type { Values } from '../../nodes/shared/values/values.ts';
import { InputError } from '../../nodes/shared/values/InputError.ts';
import { ServiceError } from '../../nodes/shared/errors/ServiceError.ts';
import { mapperFields } from '../../nodes/shared/form/mapping/mapper.ts';
import { UnreadableError } from '../../nodes/shared/errors/ServiceError.ts';
import { readDocument } from '../../nodes/shared/soap/wsdl/fetch.ts';
import { Wsdl } from '../../nodes/shared/soap/wsdl/Wsdl.ts';
import { writeRequest } from '../../nodes/shared/soap/write.ts';
import { publicService } from '../support/public-service.mts';
import { isPlainJson } from './conforms.mts';
import { hostileDescription, schemaMutation } from './description-texts.mts';
import { bomb } from './bombs.mts';
import { mutated, xmlMutation } from './mutations.mts';
import { target, typedError } from './target.mts';

const ADDRESS = 'http://payroll.example/soap/v3/EmployeeService.asmx?WSDL';

const NAMESPACE = 'urn:service';

/** Fields of forms that are made of one description: an editor opens one operation at a time. */
const MAX_FIELDS = 20_000;

/** How deep sample values are, and how many fields of a record have one. */
const MAX_DEPTH = 4;
const MAX_WIDTH = 5;

/** Sample values by kind; any other is a text. */
const SAMPLES: Readonly<Record<string, unknown>> = {
	...{ boolean: true, int: 7, integer: 7, decimal: 7, float: 7 },
	...{ date: '2026-11-22', dateTime: '2026-11-22T10:00:00' },
};

/** A value for a field, which its type may not allow. */
function sampleValue(field: Field, depth: number): unknown {
	switch (field.kind) {
		case 'list':
		case 'repeated':
			return depth > MAX_DEPTH ? [] : [sampleValue(field.of, depth + 1)];
		case 'record':
			return depth > MAX_DEPTH ? {} : sampleValues(field, depth + 1);
		case 'enumeration':
			return field.values.at(-1);
		default:
			return SAMPLES[field.kind] ?? `${'a'.repeat(60)}!`;
	}
}

function sampleValues(content: RecordContent, depth = 0): Values {
	return Object.fromEntries(
		Object.entries(content.fields)
			.slice(0, MAX_WIDTH)
			.map(([name, field]) => [name, sampleValue(field, depth)]),
	);
}

/** Returns an operation; `undefined` if it cannot be called with typed parameters. */
function operationOf(wsdl: Wsdl, name: string): Operation | undefined {
	try {
		return wsdl.operation(name);
	} catch (error) {
		if (error instanceof ServiceError) return undefined;
		throw error;
	}
}

function tryValues(content: RecordContent, values: Values): void {
	try {
		writeRequest(content, values, NAMESPACE);
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
	}
}

function checkForms(forms: ReadonlyArray<ReturnType<typeof mapperFields>>): void {
	for (const form of forms) {
		isPlainJson(form);
		const ids = new Set(form.map(({ id }) => id));
		if (ids.size < form.length) throw new Error('Two fields have the same identifier');
	}
}

const valid = fc.constant(publicService(8));

export const descriptions = target<string>({
	inputs: fc.oneof(
		{ weight: 1, arbitrary: valid },
		{ weight: 4, arbitrary: mutated(valid, xmlMutation) },
		{ weight: 6, arbitrary: mutated(valid, schemaMutation) },
		{ weight: 6, arbitrary: hostileDescription },
		{ weight: 1, arbitrary: mutated(hostileDescription, schemaMutation) },
		{ weight: 1, arbitrary: bomb },
	),
	expected: ['typed', 'untyped', 'UnreadableError'],
	show: (text) => Buffer.from(text),
	run(text) {
		let wsdl: Wsdl;
		try {
			wsdl = new Wsdl('EmployeeService', [readDocument(ADDRESS, text, true)]);
		} catch (error) {
			if (error instanceof UnreadableError) return typedError(error);
			throw error;
		}
		const forms: Array<ReturnType<typeof mapperFields>> = [];
		let left = MAX_FIELDS;
		for (const { name } of wsdl.operations) {
			const operation = left > 0 ? operationOf(wsdl, name) : undefined;
			if (operation === undefined) continue;
			const form = mapperFields(operation.request.fields, name.length % 2 === 0);
			left -= form.length + 1;
			forms.push(form);
			tryValues(operation.request, sampleValues(operation.request));
			tryValues(operation.response, sampleValues(operation.response));
		}
		return {
			kind: forms.length > 0 ? 'typed' : 'untyped',
			check() {
				isPlainJson(wsdl.operations);
				checkForms(forms);
				if (Object.keys(Object.prototype).length > 0) throw new Error('A prototype is polluted');
			},
		};
	},
});
