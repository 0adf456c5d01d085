/** The error of a failed call as the builder sees it. */
import type { IDataObject } from 'n8n-workflow';
import { toNodeError, type NodeError } from '../../nodes/shared/run/errors.ts';
import { Redactor } from '../../nodes/shared/run/redact.ts';
import { inputItems } from '../support/items.mts';

/** A secret of the credential. */
export const SECRET = 'a-secret+of(the*credential';

const node = {
	id: '1',
	name: 'Payroll',
	type: 'payroll',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
const [item] = inputItems({ getNode: () => node, getInputData: () => [{ json: {} }] }, [0]);
const action = {
	effect: 'write',
	request: {},
	properties: [],
	keysInItems: (_: unknown, keys: IDataObject) => keys,
} as const;

/** Turns an error of a call into the one that the builder sees. */
export function shownError(error: unknown): NodeError {
	return toNodeError(error, {
		...{ items: [item], action, keys: {}, earlier: undefined },
		redactor: new Redactor([SECRET]),
	});
}
