/** Captures what would be printed: n8n's log lines, the console, and the process's own outputs. */
import { Console } from 'node:console';

/** A running capture. */
export interface Capture {
	/** What was written, in order. */
	readonly written: string[];
	/** Restores the outputs. */
	end(): void;
}

/** Takes over `console`, stdout and stderr of this process. */
export function capture(): Capture {
	const written: string[] = [];
	const write = (chunk: string | Uint8Array): boolean => {
		written.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
		return true;
	};
	const spies = [process.stdout, process.stderr].map((stream) =>
		jest.spyOn(stream, 'write').mockImplementation(write),
	);
	const original = globalThis.console;
	// jest's own console would not write to these streams.
	globalThis.console = new Console(process.stdout, process.stderr);
	return {
		written,
		end() {
			globalThis.console = original;
			for (const spy of spies) spy.mockRestore();
		},
	};
}
