/** The requests that the sandbox received since its last reset. */
import type { RequestEntry, SandboxControl } from '../../dev/sandbox/client.mts';

/** The calls of the SOAP services, in order. */
export async function soapRequests(sandbox: SandboxControl): Promise<RequestEntry[]> {
	return (await sandbox.requests()).filter(
		({ method, path }) => method === 'POST' && path.startsWith('/soap/'),
	);
}

/** The operation's element of a SOAP request, without its namespace. */
const operationIn = ({ body }: RequestEntry): string =>
	/<soap:Body>(.*)<\/soap:Body>/s.exec(body)?.[1]?.replace(/ xmlns="[^"]*"/, '') ?? '';

/** The operation's element of each SOAP request, without its namespace; all of them valid. */
export async function sentOperations(sandbox: SandboxControl): Promise<string[]> {
	const requests = await soapRequests(sandbox);
	expect(requests.flatMap(({ violations }) => violations)).toEqual([]);
	return requests.map(operationIn);
}

/** The operation's element of each SOAP request that writes, without its namespace. */
export async function sentWrites(sandbox: SandboxControl): Promise<string[]> {
	const sent = (await soapRequests(sandbox)).map(operationIn);
	return sent.filter((text) => /^<\w+_(?:Insert|Update)>/.test(text));
}

/** The text of an element in each request that has it, in order. */
export async function sentTexts(sandbox: SandboxControl, element: string): Promise<string[]> {
	const pattern = new RegExp(`<${element}>([^<]*)</${element}>`);
	return (await sandbox.requests()).flatMap(({ body }) => pattern.exec(body)?.[1] ?? []);
}
