/** A SOAP call: an answer of any status and bytes gives a value of the contract or a ServiceError. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { soapOperations } from '../../nodes/shared/contract/operations.ts';
import type { Field } from '../../nodes/shared/contract/fields.ts';
import type { Operation } from '../../nodes/shared/contract/operation.ts';
import { ServiceError, UnreadableError } from '../../nodes/shared/errors/ServiceError.ts';
import { callForRecords } from '../../nodes/shared/soap/call.ts';
import { readAnswer } from '../../nodes/shared/soap/read.ts';
import { serviceNamespace } from '../../nodes/shared/soap/write.ts';
import { parseXml } from '../../nodes/shared/soap/xml.ts';
import { decodeText } from '../../nodes/shared/http/answer.ts';
import { OVERLOOKED, readXml } from '../../dev/sandbox/xml.mts';
import { answering, connectionTo } from '../support/exchange.mts';
import { contentOf, readResult } from '../support/reading.mts';
import { bomb } from './bombs.mts';
import { conforms, isPlainJson } from './conforms.mts';
import { answerTo, dress, written } from './documents.mts';
import { type Answer, answers, shownAnswer } from './encoded.mts';
import { mutated, xmlMutation } from './mutations.mts';
import { target, typedError } from './target.mts';

interface Input extends Answer {
	readonly operation: Operation;
}

const connection = connectionTo('http://payroll.example');
const types = ['text/xml', 'application/soap+xml', 'text/html', ''];

const namespaceOf = ({ service }: Operation): string =>
	serviceNamespace(connection.soapNamespace, service);

/** Texts to answer a call with: valid and damaged ones. */
function textsFor(operation: Operation): fc.Arbitrary<string> {
	const namespace = namespaceOf(operation);
	const whole = answerTo(operation);
	const text = (roots: typeof whole): fc.Arbitrary<string> =>
		fc.tuple(roots, dress).map(([root, style]) => written(root, namespace, style));
	return fc.oneof(
		{ weight: 2, arbitrary: text(whole) },
		{ weight: 8, arbitrary: mutated(text(whole), xmlMutation) },
		{ weight: 1, arbitrary: bomb },
		{ weight: 1, arbitrary: bomb.map((long) => `<?xml ${long}`) },
	);
}

/** References to characters that XML does not allow: the package reads them as blanks, others refuse the document. */
const LOST = /&#(?:0|xD800|x110000);/g;

/** Longer texts only repeat themselves, and take seconds to compare. */
const MAX_COMPARED = 100_000;

const textOf = (body: Buffer, type: string): string | undefined =>
	decodeText({ status: 200, headers: { 'content-type': type }, body });

/** Whatever is taken for an answer has to be the same document for others too. */
function checkSame({ body, type }: Answer): void {
	const text = textOf(body, type);
	if (text === undefined) throw new Error('An answer that was read cannot be decoded');
	if (text.length > MAX_COMPARED || text.includes(OVERLOOKED)) return;
	const shared = text.replace(LOST, ' ');
	if (isDeepStrictEqual(contentOf(parseXml(shared)), readXml(shared))) return;
	throw new Error('Others read something else');
}

/** A call reports any error of the reader as an answer that is not readable. */
function checkUnreadable({ operation, body, type }: Input): void {
	const text = textOf(body, type);
	if (text === undefined) return;
	try {
		readResult(operation, namespaceOf(operation), text);
	} catch (error) {
		if (!(error instanceof UnreadableError)) throw error;
	}
}

export const soapAnswers = target<Input>({
	inputs: fc.oneof(
		...soapOperations.map((operation) =>
			answers(textsFor(operation), types).map((answer) => ({ ...answer, operation })),
		),
	),
	expected: ['result', 'fault', 'ServiceError'],
	show: ({ operation, ...answer }) => shownAnswer(answer, { operation: operation.name }),
	async run({ operation, ...answer }) {
		const { exchange } = answering(() => answer);
		try {
			const { records } = await callForRecords(exchange, connection, operation, {});
			return {
				kind: 'result',
				check() {
					checkSame(answer);
					isPlainJson(records);
					const text = textOf(answer.body, answer.type) ?? '';
					const read = readAnswer(operation, namespaceOf(operation), text);
					const values = read.kind === 'result' ? read.result : {};
					for (const [name, field] of Object.entries<Field>(operation.response.fields)) {
						if (values[name] !== undefined) conforms(field, values[name], operation.name);
					}
				},
			};
		} catch (error) {
			if (!(error instanceof ServiceError)) throw error;
			if (error.code.startsWith('FAULT_')) return { ...typedError(error), kind: 'fault' };
			return {
				kind: error.name,
				check() {
					typedError(error).check();
					checkUnreadable({ ...answer, operation });
				},
			};
		}
	},
});
