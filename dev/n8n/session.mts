/** Calls n8n's own REST API with the cookies of a login. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CookieJar } from '../cookies.mts';

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
	readonly cookies = new CookieJar();

	/** @param origin where n8n answers, without a slash at the end */
	constructor(readonly origin: string) {}

	/** Requests an address of this n8n; redirects are not followed. */
	async fetch(address: string | URL, init: RequestInit = {}): Promise<Response> {
		const url = new URL(address, this.origin);
		if (url.origin !== this.origin) throw new Error(`Not an address of this n8n: ${url.origin}`);
		return await this.cookies.fetch(url, init);
	}

	/**
	 * Calls n8n's REST API; gives the `data` of its answer.
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
		// On a busy machine n8n sometimes reports its database as unavailable; it has done nothing then.
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
