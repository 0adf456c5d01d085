/** A browser's place in n8n: its cookies, and n8n's own REST API with them. */
import { setTimeout as sleep } from 'node:timers/promises';

/** An answer of n8n's that is not a success. */
export class ApiError extends Error {
	constructor(
		readonly request: string,
		readonly status: number,
		message: string,
	) {
		super(`${request}: HTTP ${status}, ${message}`);
		this.name = 'ApiError';
	}
}

/** Calls addresses of one n8n and keeps the cookies it sets. */
export class Session {
	private readonly cookies = new Map<string, string>();

	/** @param origin where n8n answers, without a slash at the end */
	constructor(readonly origin: string) {}

	/** The cookies held now, as name and value, to be given to a browser. */
	get jar(): ReadonlyMap<string, string> {
		return this.cookies;
	}

	/** Requests an address of this n8n; redirects are not followed. */
	async fetch(address: string | URL, init: RequestInit = {}): Promise<Response> {
		const url = new URL(address, this.origin);
		if (url.origin !== this.origin) throw new Error(`Not an address of this n8n: ${url.origin}`);
		const headers = new Headers(init.headers);
		headers.set('Cookie', [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '));
		const response = await fetch(url, { redirect: 'manual', ...init, headers });
		for (const cookie of response.headers.getSetCookie()) {
			const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
			if (value === '') this.cookies.delete(name);
			else this.cookies.set(name, value);
		}
		return response;
	}

	/**
	 * Calls n8n's REST API; gives what stands under `data` in its answer.
	 *
	 * @param path begins after `/rest`
	 * @throws ApiError with n8n's message
	 */
	async rest<T = unknown>(method: string, path: string, body?: object): Promise<T> {
		const init = {
			method,
			...(body && {
				body: JSON.stringify(body),
				headers: { 'Content-Type': 'application/json' },
			}),
		};
		let response = await this.fetch(`/rest${path}`, init);
		// On a busy machine n8n takes its database for gone now and then; it has not looked at the request.
		for (let i = 0; response.status === 503 && i < 60; i += 1) {
			await response.body?.cancel();
			await sleep(500);
			response = await this.fetch(`/rest${path}`, init);
		}
		const text = await response.text();
		const answer = parsed(text);
		if (response.ok && answer !== undefined) return answer.data as T;
		throw new ApiError(`${method} ${path}`, response.status, String(answer?.message ?? text));
	}
}

function parsed(text: string): { data?: unknown; message?: unknown } | undefined {
	try {
		return JSON.parse(text) as { data?: unknown; message?: unknown };
	} catch {
		return undefined;
	}
}
