/** n8n runs the node again after the fault: by its setting, or by a retry of the failed execution. */
import {
	complete,
	each,
	error,
	notApplied,
	reply,
	unknown,
	writes,
	type Act,
	type Group,
} from '../fault.mts';
import { answer } from '../message.mts';

const BROKE = /connection to the payroll service broke/;
const LATE = /did not answer in time/;
const REFUSED = /HTTP 403\b/;

const tries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

const refuse: Act = reply(() => answer(403, '', ''));

/** Carries the call out, and gives no answer. */
const lose: Act = async (call) => {
	await call.forward();
	call.socket.end();
};

/** Another act for the first call than for those after it. */
function first(once: Act, then: Act): Act {
	let isFirst = true;
	return async (call) => {
		const act = isFirst ? once : then;
		isFirst = false;
		await act(call);
	};
}

const forward: Act = async (call) => call.send(await call.forward());

export const reruns: Group = {
	name: 'Run again by n8n',
	faults: [
		{
			name: 'Retry On Fail: refused each time',
			service: refuse,
			settings: tries,
			expect: each(error(3, 0, REFUSED), notApplied(3, 0, REFUSED)),
		},
		{
			name: 'Retry On Fail: refused, then carried out',
			ways: () => [first(refuse, forward)],
			settings: tries,
			expect: each(complete(2), complete(2)),
		},
		{
			name: 'Retry On Fail: closed without an answer, executed',
			service: lose,
			settings: tries,
			expect: writes(unknown(1, 1, BROKE)),
		},
		{
			name: 'Retry On Fail: slower than the time-out, executed',
			async service(call) {
				await call.forward();
			},
			settings: tries,
			options: { timeout: 2 },
			expect: writes(unknown(1, 1, LATE)),
		},
		{
			name: 'Retry of the execution: closed without an answer, executed',
			service: lose,
			isRetried: true,
			expect: writes(unknown(1, 1, BROKE)),
		},
	],
};
