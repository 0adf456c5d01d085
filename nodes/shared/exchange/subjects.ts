import { untilCancelled } from '../http/wait';

/** What is known of a subject while somebody works on it. */
interface Line {
	users: number;
	/** Changes that were begun. */
	changes: number;
	/** Ends with the last change that was asked for. */
	last: Promise<void>;
}

/**
 * One change at a time of each employee or company, across the runs of this process. Who changes one holds
 * no other, and waits for nothing but the service: so nobody waits for ever.
 */
export class Subjects {
	private readonly lines = new Map<string, Line>();

	/** Begins work on one of them, from reading its records to reading them again. */
	visit(subject: string) {
		const line = this.lines.get(subject) ?? { users: 0, changes: 0, last: Promise.resolve() };
		this.lines.set(subject, line);
		line.users += 1;
		let end = (): void => undefined;
		return {
			/** How many changes of it were begun: if one more, what was read before is out of date. */
			get changes() {
				return line.changes;
			},
			/** Waits until no other change of it is under way, and begins one. @throws {CancelledError} */
			async change(cancel: AbortSignal | undefined): Promise<void> {
				const before = line.last;
				const own = new Promise<void>((resolve) => (end = resolve));
				line.last = before.then(async () => await own);
				await untilCancelled(cancel, before);
				line.changes += 1;
			},
			/** Ends the change and the visit. */
			leave: () => {
				end();
				line.users -= 1;
				if (line.users === 0) this.lines.delete(subject);
			},
		};
	}
}
