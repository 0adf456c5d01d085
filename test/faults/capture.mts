/** Captures what would be printed: n8n's log lines, the console, and the process's own outputs. */
import { Console } from 'node:console';
import { Writable } from 'node:stream';

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
	const sink = new Writable({
		write(chunk, _encoding, done) {
			written.push(String(chunk));
			done();
		},
	});
	const { console: original } = globalThis;
	globalThis.console = new Console(sink, sink);
	const streams = [process.stdout, process.stderr];
	const writes = streams.map((stream) => stream.write);
	for (const stream of streams) {
		stream.write = (chunk: string | Uint8Array): boolean => {
			written.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
			return true;
		};
	}
	return {
		written,
		end() {
			globalThis.console = original;
			streams.forEach((stream, index) => {
				const write = writes[index];
				if (write !== undefined) stream.write = write;
			});
		},
	};
}
