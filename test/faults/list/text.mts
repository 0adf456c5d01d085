/** Faults of the answer's text: its type, and whether it is one document at all; `service-answers.test.mts` has charsets. */
import { alter, alterBody, executed, page } from '../acts.mts';
import { all, complete, each, error, fault, unknown, unusable, type Group } from '../fault.mts';
import { UNREADABLE } from './messages.mts';

const otherType = alter((good) => ({ ...good, headers: { 'Content-Type': 'text/plain' } }));
const noDocument = alterBody(() => 'OK, done.');
/** Blanks in the middle where they mean nothing: more than the limit of the options. */
const large = alterBody((good) => {
	const at = good.startsWith('<') ? good.lastIndexOf('<') : 1;
	return good.slice(0, at) + ' '.repeat(2 ** 21) + good.slice(at);
});
const nothing = alterBody(() => '');
const twoRoots = alterBody((good) => good + (good.startsWith('<') ? '<again />' : good));

export const text: Group = {
	name: 'Text of the answer',
	faults: [
		// Only the content counts: a proxy that changes the type does no harm.
		fault('wrong content type', otherType, all(complete())),
		fault(
			'200 with an HTML page',
			executed(page(200)),
			each(error(2, 2, UNREADABLE), unknown(1, 1, UNREADABLE)),
			{ renewals: 1 },
		),
		fault('neither XML nor JSON', noDocument, unusable(UNREADABLE)),
		fault('empty body', nothing, {
			...unusable(UNREADABLE),
			// A list may end with an empty page: page 1 here, and page 0.
			restRead: complete(2, 1, () => []),
		}),
		fault('too large', large, unusable(/too large.*Response Size Limit/s), {
			options: { responseSizeLimit: 1 },
		}),
		fault('two roots', twoRoots, unusable(UNREADABLE)),
	],
};
