/** What is wrong with input items: of one call, of several that were refused, and of each row in its output item. */
import { type IDataObject, NodeOperationError } from 'n8n-workflow';
import {
	describeProblems,
	type Found,
	InputError,
	predicateOf,
	rowsText,
	sentenceOf,
} from '../errors/InputError';
import { sentences } from '../errors/words';
import type { InputItems } from '../form/inputItem';
import { callName, placeOf, rowsOf } from '../form/names';
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

/** Returns what is wrong with a call that was refused, with the name of the call if its places have no rows. */
function foundIn({ call: { items }, error }: Refused, action: Action): Found[] {
	const message = { code: 'VALUE_INVALID', path: [], text: `: ${error.message}` } as const;
	const problems = error instanceof InputError ? error.problems : [message];
	return problems.map((problem) => ({
		problem,
		placeOf(path) {
			const place = placeOf(action, items, path);
			if (place.rows.length > 0) return place;
			const names = [callName(action, items), place.quoted];
			return { ...place, quoted: names.filter(Boolean).join(': ') };
		},
	}));
}

/**
 * Returns the error of a run of which several calls were refused: all that is wrong, by its causes;
 * `undefined` for fewer calls.
 */
export function refusalOf(
	calls: readonly CallOutcome[],
	action: Action,
	redactor: Redactor,
): NodeError | undefined {
	const refused = refusedOf(calls);
	const [first] = refused;
	if (first === undefined || refused.length === 1) return undefined;
	const text = describeProblems(refused.flatMap((one) => foundIn(one, action)));
	const title = redactor.clean(text, MAX_PROBLEMS);
	// The call of which it matters most what an earlier run wrote.
	const [{ call } = first] = (['unknown', 'refused', 'applied'] as const).flatMap(
		(outcome) => refused.find((one) => one.call.earlier === outcome) ?? [],
	);
	const { earlier, items } = call;
	const isWrite = action.effect === 'write';
	const nothing = earlier
		? 'Nothing was sent now.'
		: `Nothing was ${isWrite ? 'written' : 'sent'} for these items.`;
	const description = sentences(
		`${nothing} Correct the values.`,
		earlier && `${callName(action, items)}: ${EARLIER[earlier]}`,
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

/**
 * Returns what the output item of each row of a failed call has besides its own columns: its number, and the
 * column, the value and the problem, as far as the failure is about the row; `undefined` if the items are no
 * rows.
 *
 * @param message the title of the error
 */
export function rowFailures(
	error: unknown,
	action: Action,
	items: InputItems,
	message: string,
	redactor: Redactor,
): ReadonlyArray<IDataObject | undefined> {
	const rows = rowsOf(action, items);
	const problems = error instanceof InputError ? error.problems : [];
	const byRow = new Map<string, Found[]>();
	for (const problem of problems) {
		const one: Found = { problem, placeOf: (path) => placeOf(action, items, path) };
		const { rows: own } = one.placeOf(problem.path);
		for (const row of own.length === 0 ? rows : own) {
			byRow.set(row, [...(byRow.get(row) ?? []), one]);
		}
	}
	const faulty = `Not written, since ${rowsText([...byRow.keys()])} cannot be used.`;
	return rows.map((row) => {
		const [first, ...others] = byRow.get(row) ?? [];
		const reason = problems.length > 0 ? faulty : message;
		if (first === undefined)
			return { row: Number(row), column: null, value: null, problem: reason };
		const { value = null } = first.problem;
		const problem = { ...first.problem, shown: '' };
		const more = others.map((one) => {
			return sentenceOf(one, { ...one.placeOf(one.problem.path), rows: [] });
		});
		const what = predicateOf({ ...first, problem }).replace(/^:? /, '');
		return {
			row: Number(row),
			column: first.placeOf(problem.path).column || null,
			value: value as IDataObject[string],
			problem: redactor.clean(
				sentences(
					what.replace(/^./, (letter) => letter.toUpperCase()),
					...more,
				),
				MAX_PROBLEMS,
			),
		};
	});
}
