/** Runs of the nodes against a service that applies, loses, delays and normalises writes, and what they say. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	chain,
	retryWorkflow,
	runWorkflow,
	type NodeDraft,
	type Result,
} from '../../../dev/engine/index.mts';
import { createAddress, updateCostCenters } from '../../../dev/package/calls.mts';
import { codeOf, costCentersOf, type Answer, type Row } from '../../support/plain-service.mts';
import { usePlainService } from '../../support/setUp.mts';

export const EMPLOYEE = 1001;
export const KEY = String(EMPLOYEE);

export type Shares = Readonly<Record<string, number | string>>;

/** An update of these cost centers; *Keep Other* and *Verify* are on, as by default. */
export function update(asked: Shares, more: INodeParameters = {}): INodeParameters {
	const { verify: _, keepOthers: __, ...parameters } = updateCostCenters;
	const row = Object.entries(asked).map(([costCenterCode, percentage]) => {
		return { costCenterCode, percentage };
	});
	return { ...parameters, costCenteren: { row }, ...more };
}

export const home = {
	Street: 'Keizersgracht',
	HouseNumber: '241',
	PostalCode: '1016 EA',
	City: 'Amsterdam',
};
export const upstairs: Row = { ...home, HouseNumberAddition: 'B', Type: 'HomeAddress' };
export const wanted: Row = { ...home, Type: 'HomeAddress' };

/** An insert of {@link wanted}; *Verify* is on, as by default. */
export function insert(more: INodeParameters = {}): INodeParameters {
	const { verify: _, ...parameters } = createAddress;
	return { ...parameters, ...more };
}

/** What a run says. */
export interface Said {
	readonly items: IDataObject[];
	readonly error: IDataObject | undefined;
	readonly hints: string;
	retry(parameters?: INodeParameters): Promise<Said>;
}

/** What was said of an item: its error, or the item itself. */
export function about({ items, error }: Pick<Said, 'items' | 'error'>, index = 0): IDataObject {
	return error ?? (items[index]?.error as IDataObject | undefined) ?? items[index] ?? {};
}

export const continues = { onError: 'continueRegularOutput' } as const;
export const tries = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
export const applied = { outcome: 'applied', verified: true };
export const unknown = { outcome: 'unknown' };
export const NOT_THERE = 'was not there 2 seconds later; it may still arrive';
/** It is applied when it is let through. */
export const HELD = 1000;
export const refused: Answer = (response) => void response.writeHead(404).end();

/** A write whose result is known whatever the service does. */
export interface Kind {
	readonly name: string;
	readonly parameters: INodeParameters;
	readonly read: string;
	readonly write: string;
	/** Puts what stands there before. */
	seed(): void;
	/** Lets the service have what is wanted. */
	fix(): void;
}

/** Sets up the service, and a credential that leads there. */
export function useWrites() {
	const { service, payroll, credential } = usePlainService();
	afterEach(() => jest.restoreAllMocks());

	/** Puts cost centers at the service. */
	function putShares(shares: Shares, employee = EMPLOYEE): void {
		const rows = Object.entries(shares).map(([Code, share]) => {
			return { CostCenter: { Code }, Percentage: String(share) };
		});
		service.put(costCentersOf(employee), rows);
	}

	const costCenters = (employee = EMPLOYEE): readonly Row[] =>
		service.records.get(costCentersOf(employee)) ?? [];

	/** The cost centers that the service has. */
	const shares = (employee = EMPLOYEE): Shares =>
		Object.fromEntries(costCenters(employee).map((row) => [codeOf(row), Number(row.Percentage)]));

	const addresses = (): readonly Row[] => service.records.get(KEY) ?? [];

	async function run(
		parameters: INodeParameters,
		more: Partial<NodeDraft> = {},
		input: IDataObject[] = [{ id: EMPLOYEE }],
	): Promise<Said> {
		const optionsOf = (now: INodeParameters) =>
			payroll.workflow(chain(input, credential.employee(now, more)));
		const said = (result: Result): Said => {
			const { error } = result;
			return {
				items: result
					.outputs('Payroll')
					.flat()
					.map(({ json }) => json),
				error: error && {
					...{ message: error.message, description: error.description },
					...(error.context?.data as IDataObject),
				},
				hints: result.hints().join('\n'),
				retry: async (now = parameters) => said(await retryWorkflow(optionsOf(now), result)),
			};
		};
		return said(await runWorkflow(optionsOf(parameters)));
	}

	const updating: Kind = {
		name: 'cost centers',
		parameters: update({ 4100: 50, 4200: 50 }),
		...{ read: 'CostCenter_Get', write: 'CostCenter_Update' },
		seed: () => putShares({ 4100: 60, 4200: 40 }),
		fix: () => putShares({ 4100: 50, 4200: 50 }),
	};

	const inserting: Kind = {
		name: 'an address',
		parameters: insert(),
		...{ read: 'Address_GetListCurrent', write: 'Address_Insert' },
		seed: () => service.put(KEY, [upstairs]),
		fix: () => {
			const [first = upstairs, own] = addresses();
			service.put(KEY, [first, { ...own, ...wanted }]);
		},
	};

	const all = { service, payroll, credential, putShares, costCenters, shares, addresses, run };
	return { ...all, updating, inserting };
}
