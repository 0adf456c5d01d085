import type { IExecuteFunctions } from 'n8n-workflow';
import { ServiceError } from '../../nodes/shared/errors/ServiceError.ts';
import { toNodeError } from '../../nodes/shared/run/errors.ts';
import { inTime, long } from '../support/long.mts';

const node = {
	id: '1',
	name: 'Payroll',
	type: 'payroll',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
// All that the error takes from the engine is the node's own description.
const context = { getNode: () => node } as unknown as IExecuteFunctions;

/** The details of the error that a builder sees. */
function shown(details: string): unknown {
	const error = toNodeError(context, new ServiceError('Refused', { details }), 0, 'read', []);
	return (error.context.data as { details: string }).details;
}

const token = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbm5hIn0.c2lnbmF0dXJl';

it.each([
	['a token', `The token ${token} is expired.`, 'The token *** is expired.'],
	['a token without signature', 'eyJhbGci.eyJzdWIi. was sent', '*** was sent'],
	['a token behind a dash', `x-${token}`, '***'],
	['a token behind dashes that begin like one', `eyJ-eyJ-${token}`, '***'],
	['two tokens', `${token},${token}`, '***,***'],
	['what stands behind Bearer', 'Bearer abcdefgh12345678 sent', 'Bearer *** sent'],
	['what stands behind Basic and blanks', 'Basic  dXNlcjpwYXNzd29yZA==', 'Basic  ***'],
])('%s never stands in an error', (_, details, expected) => {
	expect(shown(details)).toBe(expected);
});

it.each(['System.Web.Services', 'eyJ', 'a.b.c', 'the bearer of this', 'keyJhbGci.eyJzdWIi.x'])(
	'%p stays as it is',
	(details) => {
		expect(shown(details)).toBe(details);
	},
);

it.each(['eyJ-', 'eyJ.', 'eyJa.a.', 'Bearer ', 'Bearer\t\t'])(
	'a long text of %p takes time in proportion to its length',
	(unit) => {
		expect(typeof inTime(() => shown(long(unit)))).toBe('string');
	},
);

it('blanks without end behind Bearer too', () => {
	const text = `Bearer${long(' ')}`;
	expect(inTime(() => shown(text))).toBe(text);
});
