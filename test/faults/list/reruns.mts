/** n8n runs the node again after the fault: by its setting, or by a retry of the failed execution. */
import { close, empty, executed, keepSilent, onAttempt } from '../acts.mts';
import { complete, each, fault, refused, unknown, writes, type Group } from '../fault.mts';
import { BROKE, httpStatus, LATE } from './messages.mts';

const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

export const reruns: Group = {
	name: 'Run again by n8n',
	faults: [
		fault('Retry On Fail: refused each time', empty(403), refused(httpStatus(403), 3), {
			settings,
		}),
		fault(
			'Retry On Fail: refused, then carried out',
			onAttempt(1, empty(403)),
			each(complete(2), complete(2)),
			{ settings },
		),
		fault(
			'Retry On Fail: closed without an answer, executed',
			executed(close),
			writes(unknown(1, 1, BROKE)),
			{ settings },
		),
		fault(
			'Retry On Fail: slower than the time-out, executed',
			executed(keepSilent),
			writes(unknown(1, 1, LATE)),
			{ settings, options: { timeout: 2 } },
		),
		fault(
			'Retry of the execution: closed without an answer, executed',
			executed(close),
			writes(unknown(1, 1, BROKE)),
			{ isRetried: true },
		),
	],
};
