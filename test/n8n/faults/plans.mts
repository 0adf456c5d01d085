/** What is run in a real n8n: every fault on every operation, as workflows. */
import type { Fault, Group } from '../../faults/fault.mts';
import { targets, type OnError, type Target } from '../../faults/targets.mts';

/** A workflow: a fault and its targets, each with a credential of its own. */
export interface Plan {
	readonly fault: Fault;
	readonly targets: readonly Target[];
	/** Whether the first error ends the run, or all targets are tried and errors become items. */
	readonly stops: boolean;
}

/** The setting *On Error* of a node; all three are used. */
export function onErrorOf({ stops }: Plan, { kind }: Target): OnError {
	if (stops) return 'stopWorkflow';
	return kind === 'restRead' ? 'continueErrorOutput' : 'continueRegularOutput';
}

/** Whether a target fails under a fault. */
export function isToFail(fault: Fault, { kind }: Target): boolean {
	return fault.expect[kind]?.outcome !== 'complete';
}

/**
 * The faults but for those with huge answers: n8n stores a fixed sentence or everything, which says nothing about
 * secrets and takes minutes.
 */
function faultsOf(groups: readonly Group[]): Fault[] {
	return groups.flatMap(({ faults }) => faults).filter(({ large }) => large !== true);
}

const applying = ({ expect }: Fault): Target[] => targets.filter(({ kind }) => expect[kind]);

/** One of these, another one for each row of the table. */
function rotating(from: readonly Target[], row: number): Target[] {
	return from.slice(row % from.length, (row % from.length) + 1);
}

/** Every fault on all targets, continuing after errors; also ending with a failed read, and with a failed write. */
export function wholeTable(groups: readonly Group[]): Plan[] {
	return faultsOf(groups).flatMap((fault, row): Plan[] => {
		const all = applying(fault);
		const failing = all.filter((target) => isToFail(fault, target));
		const ends = (['read', 'write'] as const).flatMap((kind) => {
			const ofKind = failing.filter(({ effect }) => effect === kind);
			return rotating(ofKind, row);
		});
		return [
			{ fault, targets: all, stops: false },
			...ends.map((target) => ({ fault, targets: [target], stops: true })),
		];
	});
}

/** Every fault on one target, another one for each fault; every second fault ends the run. */
export function oneOfEach(groups: readonly Group[]): Plan[] {
	return faultsOf(groups).map((fault, row) => ({
		fault,
		targets: rotating(applying(fault), row),
		stops: row % 2 === 0,
	}));
}
