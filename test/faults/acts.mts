/** What a faulty server does with a call. */
import { echo, quotingPage } from './echo.mts';
import { answer, type Answer } from './message.mts';
import type { Call } from './server.mts';

/** What the faulty server does with a call. */
export type Act = (call: Call) => void | Promise<void>;

type Headers = Readonly<Record<string, string>>;

export const JSON_TYPE = 'application/json; charset=utf-8';
export const HTML_TYPE = 'text/html; charset=utf-8';

/** Answers without executing the call. */
export function reply(make: (call: Call) => Answer): Act {
	return (call) => call.send(make(call));
}

/** Answers with a status alone. */
export function empty(status: number, headers: Headers = {}): Act {
	return reply(() => answer(status, '', '', headers));
}

/** Answers with a page that quotes the request. */
export function page(status: number, headers: Headers = {}): Act {
	return reply((call) => answer(status, HTML_TYPE, quotingPage(call, `Error ${status}`), headers));
}

/** Answers with JSON. */
export function json(status: number, value: unknown, headers: Headers = {}): Act {
	return reply(() => answer(status, JSON_TYPE, JSON.stringify(value), headers));
}

/** Answers with an OAuth error that repeats the request. */
export function oauthError(status: number, code: string): Act {
	return (call) => json(status, { error: code, error_description: echo(call) })(call);
}

/** Never answers. */
export const keepSilent: Act = () => undefined;

/** Closes the connection. */
export const close: Act = ({ socket }) => void socket.end();

/** Resets the connection. */
export const reset: Act = ({ socket }) => void socket.resetAndDestroy();

/** Executes the call, then does this instead of answering. */
export function executed(act: Act): Act {
	return async (call) => {
		await call.forward();
		await act(call);
	};
}

/** Executes the call and sends the answer changed. */
export function alter(change: (good: Answer, call: Call) => Answer): Act {
	return async (call) => call.send(change(await call.forward(), call));
}

/** Executes the call and sends the answer with another body. */
export function alterBody(change: (text: string, call: Call) => string): Act {
	return alter((good, call) => ({ ...good, body: Buffer.from(change(String(good.body), call)) }));
}

/** Does this with the n-th call of a run, and has the sandbox answer the others. */
export function onAttempt(attempt: number, act: Act): Act {
	return async (call) => {
		if (call.attempt === attempt) await act(call);
		else call.send(await call.forward());
	};
}
