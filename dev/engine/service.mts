import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import { close, listen } from '../listen.mts';

/** A request as the probe service received it. */
export interface Received {
	method: string;
	path: string;
	authorization: string | undefined;
	form: URLSearchParams;
}

/** A running probe service. */
export interface ProbeService {
	url: string;
	received: Received[];
	/** The only access token it takes; every grant makes a new one. */
	accessToken(): string;
	/** Settles at the next request for `/hang`, which is never answered. */
	hanging(): Promise<void>;
	close(): Promise<void>;
}

function answer(response: ServerResponse, status: number, body: object): void {
	response.writeHead(status, { 'content-type': 'application/json' });
	response.end(JSON.stringify(body));
}

/** Starts a small API with a token endpoint whose refresh tokens work once. */
export async function startProbeService(): Promise<ProbeService> {
	const received: Received[] = [];
	let grants = 0;
	let onHang = () => {};

	const grantToken = (form: URLSearchParams, response: ServerResponse) => {
		const refreshes = form.get('grant_type') === 'refresh_token';
		if (refreshes && form.get('refresh_token') !== `refresh-${grants}`) {
			return answer(response, 400, { error: 'invalid_grant' });
		}
		grants += 1;
		answer(response, 200, {
			access_token: `access-${grants}`,
			refresh_token: `refresh-${grants}`,
			expires_in: 3600,
			token_type: 'Bearer',
		});
	};

	const handle = async (request: IncomingMessage, response: ServerResponse) => {
		const path = request.url ?? '';
		const { authorization } = request.headers;
		const form = new URLSearchParams(await text(request));
		received.push({ method: request.method ?? '', path, authorization, form });
		if (path === '/token') return grantToken(form, response);
		if (path === '/hang') return onHang();
		if (path === '/reset') return request.socket.resetAndDestroy();
		if (authorization !== `Bearer access-${grants}`) return answer(response, 401, {});
		if (path.startsWith('/bad')) return answer(response, 500, {});
		answer(response, 200, { path });
	};

	const server = createServer((request, response) => void handle(request, response));
	return {
		url: `http://127.0.0.1:${await listen(server)}`,
		received,
		accessToken: () => `access-${grants}`,
		hanging: async () => await new Promise((resolve) => (onHang = resolve)),
		close: async () => await close(server),
	};
}
