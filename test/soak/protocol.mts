/** The messages between the soak and the process that it measures. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Connection } from '../../dev/sandbox/options.mts';
import {
	createAddress,
	getAddresses,
	getCostCenters,
	getHourCodes,
	updateCompany,
	updateCostCenters,
} from '../../dev/package/calls.mts';

/** One operation under load; `concurrency` only where it is not the default. */
export interface Load {
	readonly node: 'payrollEmployee' | 'payrollCompany' | 'payrollHourCodes';
	readonly parameters: INodeParameters;
	readonly effect: 'read' | 'write';
	readonly concurrency?: number;
}

/** Every operation; a write carries the mark of its item, so that its executions can be counted. */
export const loads: Readonly<Record<string, Load>> = {
	CostCenter_Get: { node: 'payrollEmployee', parameters: getCostCenters, effect: 'read' },
	CostCenter_Update: {
		node: 'payrollEmployee',
		parameters: {
			...updateCostCenters,
			costCenteren: {
				row: [{ costCenterCode: '={{ $json.mark }}', percentage: 100 }],
			},
		},
		effect: 'write',
		concurrency: 8,
	},
	Address_GetListCurrent: { node: 'payrollEmployee', parameters: getAddresses, effect: 'read' },
	Address_Insert: {
		node: 'payrollEmployee',
		parameters: { ...createAddress, street: '={{ $json.mark }}' },
		effect: 'write',
		concurrency: 8,
	},
	Address_Update: {
		node: 'payrollCompany',
		parameters: { ...updateCompany, street: '={{ $json.mark }}' },
		effect: 'write',
	},
	hourcodes: { node: 'payrollHourCodes', parameters: getHourCodes, effect: 'read' },
};

/** The orders to the measured process, one at a time. */
export type Order =
	| {
			readonly kind: 'connect';
			readonly sandbox: Connection;
			/** Where SOAP and REST calls go. */
			readonly serviceUrl: string;
	  }
	/** Runs an operation on items; without one, only n8n's own nodes. */
	| { readonly kind: 'run'; readonly load?: string; readonly items: readonly IDataObject[] }
	/** Collects garbage and measures. */
	| { readonly kind: 'measure' }
	/** Releases everything, and ends by itself. */
	| { readonly kind: 'end' };

/** What is in use after a full collection, in bytes. */
export interface Memory {
	readonly heapUsed: number;
	readonly external: number;
}

/** The answer to an order. */
export interface Done {
	/** After a run: the items that came out, by the index of the item that went in. */
	readonly outputs?: readonly IDataObject[][];
	/** After a run: how long it held the event loop without a break, in milliseconds. */
	readonly heldMs?: number;
	readonly memory?: Memory;
	/** What keeps the process alive, by kind, without the channel to its parent. */
	readonly resources?: readonly string[];
}
