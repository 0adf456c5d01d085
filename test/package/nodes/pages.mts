/** Lists of the REST interface, as a service answers them and as they are read. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { getHourCodes } from '../../../dev/package/calls.mts';
import { replying, type Script } from '../../support/scripted.mts';
import { useConnected, usePackage, useScriptedServer } from '../../support/setUp.mts';

export const codes = (count: number, from = 1) =>
	Array.from({ length: count }, (_, i) => ({ id: from + i, code: `U${from + i}` }));
export const ids = (count: number, from = 1) => codes(count, from).map(({ id }) => id);

/** An answer: a status, the text of a body, or a body as JSON, perhaps with headers. */
export type Reply = number | string | object;
export class WithHeaders {
	constructor(
		readonly body: Reply,
		readonly headers: Record<string, string>,
	) {}
}
export const withHeader = (body: Reply, name: string, value: string) =>
	new WithHeaders(body, { [name]: value });

export const answer = (said: Reply): Script => {
	if (said instanceof WithHeaders)
		return replying(200, 'application/json', said.body, said.headers);
	if (typeof said !== 'number') return replying(200, 'application/json', said);
	return replying(said, 'application/json', said === 204 ? '' : '{"message":"No"}');
};

/** Answers the requests one after the other; the pages after them are empty. */
export const inTurn =
	(...replies: readonly Reply[]): Script =>
	async (response, index, request) =>
		await answer(replies[index] ?? [])(response, index, request);

/** Answers each page by its number, and the size that was asked for. */
export const paged =
	(reply: (number: number, size: number) => Reply): Script =>
	async (response, index, request) => {
		const query = new URL(request.path, 'http://localhost').searchParams;
		const said = reply(Number(query.get('pageNumber')), Number(query.get('pageSize')));
		await answer(said)(response, index, request);
	};

export const two = (number: number, more: object = {}) => ({
	items: codes(2, 2 * number - 1),
	...more,
});
export const none = (more: object = {}) => ({ items: [], ...more });

export function useLists() {
	const payroll = usePackage();
	const server = useScriptedServer();
	const credential = useConnected(payroll, server);

	/** Reads all hour codes of a company in pages of 40, and returns their ids or the error. */
	async function get(
		script: Script,
		options: INodeParameters = {},
		parameters: INodeParameters = {},
	) {
		server.play(script);
		const given = { ...getHourCodes, ...parameters, options: { pageSize: 40, ...options } };
		const { error, json } = await payroll.run([{ id: 100 }], credential.hourCodes(given));
		return {
			items: error ? [] : json('Payroll'),
			ids: error ? undefined : json('Payroll').map(({ id }) => id),
			code: (error?.context?.data as IDataObject | undefined)?.code,
			error: error && `${error.message} ${String(error.description)}`,
			asked: server.received.map(({ path }) => /pageNumber=(\d+)/.exec(path)?.[1]).join(' '),
		};
	}

	return { payroll, server, credential, get };
}
