/** A proxy between n8n and the identity server that can stop a token request, there or back. */
import { forward } from '../../support/forward.mts';
import { scriptedServer } from '../../support/scripted.mts';

/** What is stopped: a token request before the server sees it, or its answer. */
export type Stop = 'request' | 'answer';

/** A running gateway. */
export interface Gateway {
	/** The address to give to n8n as that of the identity server. */
	readonly url: string;
	/** Stops the next token request; gives a function that says whether there has been one. */
	stopNext(where: Stop): () => boolean;
	close(): Promise<void>;
}

/** Starts a gateway to the identity server at `target`. */
export async function startGateway(target: string): Promise<Gateway> {
	let next: { where: Stop; reached: boolean } | undefined;
	const server = await scriptedServer();
	server.play(async (response, _, request) => {
		const stop = next;
		next = undefined;
		const answer = stop?.where === 'request' ? undefined : await forward(target, request);
		if (stop !== undefined) stop.reached = true;
		else if (answer) response.writeHead(answer.status, answer.headers).end(answer.body);
	});
	return {
		url: server.url,
		stopNext(where) {
			const stop = { where, reached: false };
			next = stop;
			return () => stop.reached;
		},
		close: async () => await server.close(),
	};
}
