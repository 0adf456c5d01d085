/** Records every request that the sandbox receives, in order, and counts them. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** One received request. */
export interface RequestEntry {
	method: string;
	/** Path with query, as received. */
	path: string;
	/** Raw header values by lower-case name; a repeated header's values joined by a comma. */
	headers: Record<string, string>;
	body: string;
	/** The response's status; 0 while it is not yet sent, or when the client went away. */
	status: number;
	/** Violations of the XML schemas in a SOAP request. */
	violations: string[];
}

/** Counts since the last reset. */
export interface Stats {
	/** Token requests received, by grant type. */
	tokenRequests: Record<string, number>;
	refreshesSucceeded: number;
	/** Refreshes refused because the refresh token was spent before. */
	refreshesRefused: number;
	/** SOAP requests received, by operation, whether or not they were admitted. */
	soapCalls: Record<string, number>;
	/** SOAP requests that were admitted and reached the operation. */
	soapExecuted: Record<string, number>;
	/** REST requests received. */
	restCalls: number;
	/** Greatest number of business requests (SOAP and REST) open at once. */
	maxInFlight: number;
}

/** The counts that are kept by name. */
type Counted = {
	[name in keyof Stats]: Stats[name] extends Record<string, number> ? name : never;
}[keyof Stats];

const noStats = (): Stats => ({
	tokenRequests: {},
	refreshesSucceeded: 0,
	refreshesRefused: 0,
	soapCalls: {},
	soapExecuted: {},
	restCalls: 0,
	maxInFlight: 0,
});

export class Journal {
	requests: RequestEntry[] = [];
	stats: Stats = noStats();
	#inFlight = 0;

	/** Enters a request on arrival; its status follows when the response is out. */
	enter(req: IncomingMessage, res: ServerResponse): RequestEntry {
		const headers: Record<string, string> = {};
		for (let at = 0; at + 1 < req.rawHeaders.length; at += 2) {
			const name = (req.rawHeaders[at] ?? '').toLowerCase();
			const value = req.rawHeaders[at + 1] ?? '';
			headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
		}
		const { method = '', url = '' } = req;
		const entry = { method, path: url, headers, body: '', status: 0, violations: [] };
		this.requests.push(entry);
		res.once('finish', () => Object.assign(entry, { status: res.statusCode }));
		return entry;
	}

	/** Counts a business request as open until its response is done or its client is gone. */
	open(res: ServerResponse): void {
		this.#inFlight += 1;
		this.stats.maxInFlight = Math.max(this.stats.maxInFlight, this.#inFlight);
		res.once('close', () => (this.#inFlight -= 1));
	}

	/** Adds one to a count kept by name. */
	count(where: Counted, name: string): void {
		const counts = this.stats[where];
		counts[name] = (Object.hasOwn(counts, name) ? (counts[name] ?? 0) : 0) + 1;
	}

	/** Forgets everything; requests still open keep counting as open. */
	reset(): void {
		this.requests = [];
		this.stats = { ...noStats(), maxInFlight: this.#inFlight };
	}
}
