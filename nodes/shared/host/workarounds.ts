/** Properties of n8n that the package works around, each with the versions of n8n that have it. */
import type {
	FunctionsBase,
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

/** Whether a node runs as a tool of an AI agent: n8n (1.123 and 2.41) appends `Tool` to its type. */
export function isTool(context: Pick<FunctionsBase, 'getNode'>): boolean {
	return context.getNode().type.endsWith('Tool');
}

/**
 * Whether an agent calls the node directly, outside of n8n's engine. Each try of *Retry On Fail*
 * then has its own run index, but the same object of arguments. (n8n 1.123 and 2.41; until n8n runs
 * tools by its engine alone.)
 */
export function isCalledByAgent(context: IExecuteFunctions): boolean {
	return 'getNextRunIndex' in context;
}

/**
 * Whether this run follows one that was killed: n8n's retry of a crashed execution knows that the
 * node was begun, but not what it did (n8n 1.123 and 2.41; until it keeps what a killed node had
 * stored). n8n always considers a tool as begun.
 */
export function followsCrash(context: IExecuteFunctions): boolean {
	if (context.getMode() !== 'retry' || isTool(context)) return false;
	const { $ } = context.getWorkflowDataProxy(0) as {
		$: (node: string) => { readonly isExecuted: boolean };
	};
	return $(context.getNode().name).isExecuted;
}

/**
 * Whether n8n may run the node again after this output: with *Retry On Fail*, it does if the JSON
 * of the first item has an `error`, whatever its value (n8n 1.123 and 2.41).
 */
export function mayRunAgain(
	context: IExecuteFunctions,
	[first]: readonly INodeExecutionData[],
): boolean {
	return context.getNode().retryOnFail === true && first?.json.error !== undefined;
}

/**
 * Restores an error's message. n8n (1.123 and 2.41) replaces a message that contains a Node.js error
 * code: for ECONNRESET with "You can retry the request immediately", even for a write.
 * "EmployeeExists" contains EEXIST.
 */
export function withMessage<E extends Error>(error: E, message: string): E {
	error.message = message;
	return error;
}

/** Returns a failure's error code. n8n (1.123 and 2.41) wraps the original error, so the causes are searched too. */
export function codeOf(error: unknown): string | undefined {
	let link = error;
	for (let depth = 0; depth < 5 && typeof link === 'object' && link !== null; depth += 1) {
		const { code, cause } = link as { code?: unknown; cause?: unknown };
		if (typeof code === 'string') return code;
		link = cause;
	}
	return undefined;
}

/** An answer as n8n returns it. */
export interface HostAnswer {
	readonly statusCode: number;
	readonly headers: Readonly<Record<string, unknown>>;
	readonly body: (AsyncIterable<Uint8Array> | Iterable<Uint8Array>) & { destroy?(): void };
}

/**
 * Waits for the answer to a request, which may be in an error: when the AI builder of n8n 2 (2.41)
 * evaluates a workflow, n8n answers the requests itself, and throws answers with an error status
 * despite `ignoreHttpStatusErrors`.
 *
 * @throws what n8n throws, if it holds no answer
 */
export async function answerIn(answering: Promise<unknown>): Promise<HostAnswer> {
	const answer = await answering.catch((error: unknown): HostAnswer => {
		const { response } = Object(error) as { response?: unknown };
		const { status, headers, data } = Object(response) as Record<string, unknown>;
		// The error of a request that was really sent has a code.
		if (typeof status !== 'number' || codeOf(error) !== undefined) throw error;
		const body =
			typeof data === 'string' || Buffer.isBuffer(data) ? data : JSON.stringify(data ?? '');
		return {
			statusCode: status,
			headers: Object(headers) as HostAnswer['headers'],
			body: [Buffer.from(body)],
		};
	});
	return answer as HostAnswer;
}

/**
 * Whether n8n gave a mock credential: the AI builder of n8n 2 (2.41) evaluates workflows that have no
 * credential, answers every request of the node itself and sends none. Needed while it does.
 */
export function isMocked(data: ICredentialDataDecryptedObject): boolean {
	return data.__evalMockedCredential === true;
}

/**
 * Replaces n8n's mock credential, whose addresses are empty. Even a request that was sent would
 * reach nobody: no host name ends with `.invalid` (RFC 6761).
 */
export const MOCK_CREDENTIAL: ICredentialDataDecryptedObject = {
	clientId: 'evaluated-client',
	clientSecret: 'evaluated-secret',
	subscriptionKey: 'evaluated-key',
	domain: 'evaluated-domain',
	identityUrl: 'https://payroll.invalid',
	restUrl: 'https://payroll.invalid',
	soapUrl: 'https://payroll.invalid',
	soapNamespace: 'https://payroll.invalid/soap/v3',
	soapVersion: '1.1',
	dependsOnItem: false,
	oauthTokenData: {
		// A JSON Web Token that expires in the year 2100, so that it is never renewed.
		access_token: `e30.${Buffer.from('{"exp":4102444800}').toString('base64url')}.e30`,
		refresh_token: 'evaluated-refresh-token',
	},
};
