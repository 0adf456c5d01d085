/** The error of several calls that were refused before anything was sent. */
import { NodeOperationError } from 'n8n-workflow';
import { describeProblems, InputError, type Path } from '../errors/InputError';
import { sentences } from '../errors/words';
import { callName, rowNames, valueName } from '../form/names';
import { isOfHost, withMessage } from '../host/errors';
import type { Action } from './action';
import { EARLIER, MAX_PROBLEMS, type NodeError } from './errors';
import type { CallOutcome } from './progress';
import type { Redactor } from './redact';

/** A call that was refused, and why. */
interface Refused {
	readonly call: CallOutcome;
	readonly error: Error;
}

/**
 * Returns the calls that were refused for their values or an expression, each for a reason of its own; none
 * if the first call that failed did so for another reason.
 */
function refusedOf(calls: readonly CallOutcome[]): Refused[] {
	const failed = calls.flatMap((call) => {
		return call.outcome?.ok === false ? [{ call, error: call.outcome.error as Error }] : [];
	});
	const isRefused = ({ error }: Refused) => error instanceof InputError || isOfHost(error);
	const isSame = new Set(failed.map(({ error }) => error)).size === 1;
	return isSame || !failed.slice(0, 1).some(isRefused) ? [] : failed.filter(isRefused);
}

/** Returns the sentences about a call that was refused, each when it is needed. */
function sentencesOn({ call: { items }, error }: Refused, action: Action): Array<() => string> {
	const name = callName(action.request, items);
	if (!(error instanceof InputError)) return [() => `${name}: ${error.message}`];
	const isNamed = rowNames(action.request, items) !== '';
	const nameOf = (path: Path) => valueName(action, items, path);
	return error.problems.map((problem) => () => {
		const sentence = describeProblems([problem], nameOf);
		return isNamed ? sentence : `${name}: ${sentence}`;
	});
}

/** Returns the refused call of which it matters most what an earlier run wrote. */
function writtenBefore(refused: readonly Refused[]): CallOutcome | undefined {
	const found = (['unknown', 'refused', 'applied'] as const).map((outcome) =>
		refused.find(({ call }) => call.earlier === outcome),
	);
	return found.find((call) => call !== undefined)?.call;
}

/**
 * Returns the error of a run of which several calls were refused: all that is wrong, by the rows or items
 * of the calls; `undefined` for fewer calls.
 */
export function refusalOf(
	calls: readonly CallOutcome[],
	action: Action,
	redactor: Redactor,
): NodeError | undefined {
	const refused = refusedOf(calls);
	const [first] = refused;
	if (first === undefined || refused.length === 1) return undefined;
	const all = refused.flatMap((one) => sentencesOn(one, action));
	const problems = all.map((_, i) => ({ code: 'VALUE_INVALID', path: [i], text: '' }) as const);
	const text = describeProblems(problems, ([i]) => all[Number(i)]?.() ?? '');
	const title = redactor.clean(text, MAX_PROBLEMS);
	const { earlier, items } = writtenBefore(refused) ?? first.call;
	const isWrite = action.effect === 'write';
	const nothing = earlier
		? 'Nothing was sent now.'
		: `Nothing was ${isWrite ? 'written' : 'sent'} for these items.`;
	const description = sentences(
		`${nothing} Correct the values.`,
		earlier && `${callName(action.request, items)}: ${EARLIER[earlier]}`,
	);
	const codes = refused.map(({ error }) =>
		error instanceof InputError ? error.code : 'N8N_ERROR',
	);
	const [code, ...others] = new Set(codes);
	// An item index would make n8n add "[item 0]" to the title.
	const error = new NodeOperationError(first.call.items[0].node, title, { description });
	error.context.data = {
		code: others.length > 0 ? 'VALUE_INVALID' : code,
		...(isWrite && { outcome: earlier ?? 'notApplied' }),
	};
	return withMessage(error, title);
}
