/** A planted secret, to show that the search finds what n8n stores. */
import type { Secret } from '../../faults/secrets.mts';
import { chain, itemsNode, manualTrigger } from '../../../dev/n8n/workflow.mts';

const value = 'planted +/%:&="7f3a\\c" value';

/** The secret, which has to be found. */
export const planted: Secret = { name: 'planted', value };

/** Puts it into an item in several encodings, and into the error that ends the run. */
export const planting = chain(
	'Planting',
	manualTrigger,
	...itemsNode([
		{ plain: value },
		{ encoded: encodeURIComponent(value), base64: Buffer.from(`:${value}`).toString('base64') },
	]),
	{
		name: 'Stop',
		type: 'n8n-nodes-base.stopAndError',
		parameters: { errorMessage: value },
	},
);
