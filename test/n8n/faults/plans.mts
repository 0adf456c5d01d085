/** What is run in a real n8n: every fault on every operation, as workflows. */
import type { Fault, Group } from '../../faults/fault.mts';
import { targets, type OnError, type Target } from '../../faults/targets.mts';

/** A workflow to be made: a fault, and the targets that it is tried on, each with a credential of its own. */
export interface Plan {
	readonly fault: Fault;
	readonly targets: readonly Target[];
	/** Whether the first error ends the run, or all targets are tried and errors become items. */
	readonly stops: boolean;
}

/** How a node of a plan takes an error: each of n8n's three ways is gone. */
export function onErrorOf({ stops }: Plan, { kind }: Target): OnError {
	if (stops) return 'stopWorkflow';
	return kind === 'restRead' ? 'continueErrorOutput' : 'continueRegularOutput';
}

/** Whether a target fails under a fault. */
export function isToFail(fault: Fault, { kind }: Target): boolean {
	return fault.expect[kind]?.outcome !== 'complete';
}

/**
 * The faults that make sense here. Of answers of 70 MiB and of a million records nothing is kept but a fixed
 * sentence, or everything, which tells nothing of secrets and takes n8n and its database minutes.
 */
function faultsOf(groups: readonly Group[]): Fault[] {
	return groups.flatMap(({ faults }) => faults).filter(({ large }) => large !== true);
}

const applying = ({ expect }: Fault): Target[] => targets.filter(({ kind }) => expect[kind]);

/** Of several, another one for each row of the table. */
const turn = (from: readonly Target[], row: number): Target[] =>
	from.slice(row % from.length, (row % from.length) + 1);

/** Every fault on every target, going on after errors; and ending with the error of a read, and with that of a write. */
export function wholeTable(groups: readonly Group[]): Plan[] {
	return faultsOf(groups).flatMap((fault, row): Plan[] => {
		const all = applying(fault);
		const failing = all.filter((target) => isToFail(fault, target));
		const ends = (['read', 'write'] as const).flatMap((effect) =>
			turn(
				failing.filter((target) => target.effect === effect),
				row,
			),
		);
		return [
			{ fault, targets: all, stops: false },
			...ends.map((target) => ({ fault, targets: [target], stops: true })),
		];
	});
}

/** Every fault on one target, that of the next fault being another one; every other fault ends the run. */
export function oneOfEach(groups: readonly Group[]): Plan[] {
	return faultsOf(groups).map((fault, row) => ({
		fault,
		targets: turn(applying(fault), row),
		stops: row % 2 === 0,
	}));
}
