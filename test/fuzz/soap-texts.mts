/** Texts of SOAP answers: valid ones, and ones with damaged structure, tokens or both. */
import fc from 'fast-check';
import type { SoapOperation } from '../../nodes/shared/contract/soapOperation.ts';
import { bomb } from './bombs.mts';
import { answerTo, dress, written } from './documents.mts';
import { mutated, xmlMutation } from './mutations.mts';
import { structureMutation } from './structure.mts';

/** Takes an operation and its service's namespace; returns texts to answer its call with. */
export function soapText(operation: SoapOperation, namespace: string): fc.Arbitrary<string> {
	const whole = answerTo(operation);
	const text = (roots: typeof whole): fc.Arbitrary<string> =>
		fc.tuple(roots, dress).map(([root, style]) => written(root, namespace, style));
	const damaged = mutated(whole, structureMutation);
	return fc.oneof(
		{ weight: 2, arbitrary: text(whole) },
		{ weight: 5, arbitrary: text(damaged) },
		{ weight: 5, arbitrary: mutated(text(whole), xmlMutation) },
		{ weight: 2, arbitrary: mutated(text(damaged), xmlMutation) },
		{ weight: 1, arbitrary: bomb },
	);
}
