/** Lists of which the pages do not fit together. */
import { error, reply, type Act, type Fault, type Group } from '../fault.mts';
import { answer } from '../message.mts';

/** Answers page after page with these bodies, the last of them from then on. */
function paged(...bodies: ReadonlyArray<object>): Act {
	return reply((call) => {
		const body = bodies[Math.min(call.attempt, bodies.length) - 1];
		return answer(200, 'application/json; charset=utf-8', JSON.stringify(body));
	});
}

const rows = (...ids: number[]) => ids.map((id) => ({ id }));

function fault(name: string, bodies: readonly object[], sent: number, message: RegExp): Fault {
	return { name, service: paged(...bodies), expect: { restRead: error(sent, 0, message) } };
}

export const pages: Group = {
	name: 'Pages of a list',
	faults: [
		fault('the page number is ignored', [rows(1, 2)], 2, /same page twice.*'Page Size'/s),
		fault(
			'a record on two pages',
			[rows(1, 2), rows(2, 3)],
			2,
			/same record on two pages.*'Check for Changes'/s,
		),
		fault(
			'changed while it is read',
			[rows(1, 2), rows(3), rows(), rows(1, 4)],
			4,
			/list changed while it was being read.*'Check for Changes'/s,
		),
		fault(
			'a page before the first',
			[{ items: rows(1), hasPreviousPage: true }],
			1,
			/not complete.*stands before the first/s,
		),
		fault(
			'an empty page before the end',
			[{ items: [], hasNextPage: true }],
			1,
			/not complete.*more of them follow/s,
		),
		fault(
			'fewer pages than it names',
			[
				{ items: rows(1), totalPages: 3 },
				{ items: [], totalPages: 3 },
			],
			2,
			/not complete.*names 3 pages and sent 1/s,
		),
	],
};
