/** A SOAP call: an answer of any status and bytes gives a value of the contract or a ServiceError. */
import fc from 'fast-check';
import { soapOperations } from '../../nodes/shared/contract/operations.ts';
import type { SoapOperation } from '../../nodes/shared/contract/soapOperation.ts';
import { ServiceError } from '../../nodes/shared/errors/ServiceError.ts';
import { callSoap } from '../../nodes/shared/soap/call.ts';
import { serviceNamespace } from '../../nodes/shared/soap/envelope.ts';
import { answering, connectionTo } from '../support/exchange.mts';
import { conforms, isPlainJson } from './conforms.mts';
import { answers, shownAnswer, type Answer } from './encoded.mts';
import { soapText } from './soap-texts.mts';
import { target, typedError } from './target.mts';

interface Input extends Answer {
	readonly operation: SoapOperation;
}

const connection = connectionTo('http://payroll.example');
const types = ['text/xml', 'application/soap+xml', 'text/html', ''];

function inputsFor(operation: SoapOperation): fc.Arbitrary<Input> {
	const namespace = serviceNamespace(connection.soapNamespace, operation.service);
	const texts = soapText(operation, namespace);
	return answers(texts, types).map((answer) => ({ ...answer, operation }));
}

export const soapAnswers = target<Input>({
	inputs: fc.oneof(...soapOperations.map(inputsFor)),
	expected: ['result', 'ServiceError'],
	show: ({ operation, ...answer }) => shownAnswer(answer, { operation: operation.name }),
	async run({ operation, ...answer }) {
		try {
			const { exchange } = answering(() => answer);
			const value: unknown = await callSoap(exchange, connection, operation, {});
			return {
				kind: 'result',
				check() {
					if (operation.result !== undefined) conforms(operation.result, value, operation.name);
					else if (value !== undefined) throw new Error('A result where there is none');
					if (value !== undefined) isPlainJson(value);
				},
			};
		} catch (error) {
			if (error instanceof ServiceError) return typedError(error);
			throw error;
		}
	},
});
