import type { ServerResponse } from 'node:http';

import { scriptedServer, type ScriptedServer } from '../../support/scripted.mts';

/** A running probe service. */
export interface ProbeService extends Pick<ScriptedServer, 'url' | 'received' | 'close'> {
	/** Settles at the next request for `/hang`, which is never answered. */
	hanging(): Promise<void>;
}

function answer(response: ServerResponse, status: number, body: object): void {
	response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

/**
 * Starts a small API with a token endpoint. A refresh token works once, and only the last access
 * token is valid.
 */
export async function startProbeService(): Promise<ProbeService> {
	const server = await scriptedServer();
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

	server.play((response, _index, { path, headers, body }) => {
		if (path === '/token') return grantToken(new URLSearchParams(body), response);
		if (path === '/hang') return onHang();
		if (path === '/reset') return void response.socket?.resetAndDestroy();
		if (headers.authorization !== `Bearer access-${grants}`) return answer(response, 401, {});
		if (path.startsWith('/bad')) return answer(response, 500, {});
		answer(response, 200, { path });
	});
	return { ...server, hanging: async () => await new Promise((resolve) => (onHang = resolve)) };
}
