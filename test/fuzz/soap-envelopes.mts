/** The reader of SOAP envelopes by itself: a good result or fault, or one of its two errors. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { soapOperations } from '../../nodes/shared/contract/operations.ts';
import type { SoapOperation } from '../../nodes/shared/contract/soapOperation.ts';
import { ResponseError } from '../../nodes/shared/soap/readFields.ts';
import { readEnvelope } from '../../nodes/shared/soap/response.ts';
import { XmlError } from '../../nodes/shared/soap/xml.ts';
import { parseXml } from '../../nodes/shared/soap/parseXml.ts';
import { conforms, isPlainJson } from './conforms.mts';
import { OVERLOOKED, readXml } from '../../dev/sandbox/xml.mts';
import { soapText } from './soap-texts.mts';
import { target, typedError } from './target.mts';
import { contentOf } from '../support/soap.mts';

interface Input {
	readonly operation: SoapOperation;
	readonly text: string;
}

const namespace = 'http://payroll.example/soap/v3/Service';

export const soapEnvelopes = target<Input>({
	inputs: fc.oneof(
		...soapOperations.map((operation) =>
			soapText(operation, namespace).map((text) => ({ operation, text })),
		),
	),
	expected: ['fault', 'result', 'ResponseError', 'XmlError'],
	show: ({ operation, text }) => Buffer.from(`${operation.name}\n${text}`),
	run({ operation, text }) {
		try {
			const answer = readEnvelope(operation, namespace, text);
			return {
				kind: answer.kind,
				check() {
					// Whatever is taken for an answer has to be the same document for others too.
					const isComparable = !text.includes(OVERLOOKED);
					if (isComparable && !isDeepStrictEqual(contentOf(parseXml(text)), readXml(text))) {
						throw new Error('Others read something else');
					}
					if (answer.kind === 'fault') return isPlainJson({ ...answer.fault, serviceCode: null });
					const result: unknown = answer.result;
					if (operation.result === undefined) {
						if (result !== undefined) throw new Error('A result where there is none');
						return;
					}
					conforms(operation.result, result, operation.name);
					isPlainJson(result);
				},
			};
		} catch (error) {
			if (error instanceof XmlError || error instanceof ResponseError) return typedError(error);
			throw error;
		}
	},
});
