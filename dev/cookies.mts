/** The cookies of one visitor to one origin. */
export class CookieJar {
	readonly #cookies = new Map<string, string>();

	/** The cookies held now, by name. */
	entries(): Array<[name: string, value: string]> {
		return [...this.#cookies];
	}

	/** Requests an address with the cookies, and keeps those of the answer. Redirects are not followed. */
	async fetch(url: URL, init: RequestInit = {}): Promise<Response> {
		const headers = new Headers(init.headers);
		headers.set(
			'Cookie',
			this.entries()
				.map((pair) => pair.join('='))
				.join('; '),
		);
		const response = await fetch(url, { redirect: 'manual', ...init, headers });
		for (const cookie of response.headers.getSetCookie()) {
			const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
			if (value === '') this.#cookies.delete(name);
			else this.#cookies.set(name, value);
		}
		return response;
	}
}
