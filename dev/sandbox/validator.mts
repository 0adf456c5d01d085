/** Validates SOAP documents against the XML schemas of this folder, with libxml2's xmllint from the package `xmllint-wasm`. */
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { schemaFile, schemasOf, services, type Service, type TextFile } from './schemas.mts';
import { dialects } from './soap-reply.mts';

interface Job {
	service: Service;
	xml: string;
	done: (violations: string[]) => void;
	failed: (error: unknown) => void;
}

/** Maximum number of documents per run of the validator. */
const batchSize = 64;

export class SchemaValidator {
	readonly #schemas: Record<Service, TextFile[]>;
	readonly #xmllint = new Xmllint();
	#queue: Job[] = [];
	#running = false;

	/** @param namespace {soap_namespace} of docs/dev/interface.md */
	constructor(namespace: string) {
		const { contents: template } = schemaFile('envelope.xsd', namespace);
		const envelopes = Object.values(dialects).map(({ namespace: own, prefix }) => ({
			fileName: `${prefix}-envelope.xsd`,
			contents: template.replaceAll('{envelope_namespace}', own),
		}));
		const forService = (service: Service) => {
			const [own, ...parts] = schemasOf(service, namespace);
			const roots = [...envelopes, own];
			return [
				{ fileName: 'all.xsd', contents: importing(roots.map(targetOf)) },
				...[...roots, ...parts],
			];
		};
		const all = services.map((service) => [service, forService(service)] as const);
		this.#schemas = Object.fromEntries(all) as Record<Service, TextFile[]>;
	}

	/** Takes a document sent to (or by) a service; gives what is wrong with it, in plain lines. */
	async validate(service: Service, xml: string): Promise<string[]> {
		return await new Promise((done, failed) => {
			this.#queue.push({ service, xml, done, failed });
			if (!this.#running) void this.#run();
		});
	}

	/** Ends the validator's thread. */
	async close(): Promise<void> {
		await this.#xmllint.close();
	}

	// A run costs hardly more for fifty documents than for one: what arrives during a run shares
	// the next one.
	async #run(): Promise<void> {
		this.#running = true;
		for (let [first] = this.#queue; first !== undefined; [first] = this.#queue) {
			const { service } = first;
			const batch = this.#queue.filter((job) => job.service === service).slice(0, batchSize);
			this.#queue = this.#queue.filter((job) => !batch.includes(job));
			try {
				const found = await this.#check(service, batch);
				batch.forEach((job, at) => job.done(found[at] ?? []));
			} catch (error) {
				for (const job of batch) job.failed(error);
			}
		}
		this.#running = false;
	}

	async #check(service: Service, batch: Job[]): Promise<string[][]> {
		const documents = batch.map((job, at) => ({
			fileName: `document${at}.xml`,
			contents: job.xml,
		}));
		const names = documents.map(({ fileName }) => fileName);
		const files = [...this.#schemas[service], ...documents];
		const output = await this.#xmllint.run(files, ['--noout', '--schema', 'all.xsd', ...names]);
		return batch.map((_job, at) => violationsOf(output, `document${at}.xml`));
	}
}

function targetOf(file: TextFile): [string, string] {
	return [file.fileName, /targetNamespace="([^"]*)"/.exec(file.contents)?.[1] ?? ''];
}

function importing(files: Array<[fileName: string, namespace: string]>): string {
	const imports = files.map(
		([fileName, namespace]) => `<xs:import namespace="${namespace}" schemaLocation="${fileName}"/>`,
	);
	return `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">${imports.join('')}</xs:schema>`;
}

function violationsOf(output: string, fileName: string): string[] {
	const lines = output.split('\n').filter((line) => line.startsWith(`${fileName}`));
	const violations = lines.flatMap((line) => {
		const found = /^[^:]+:\d+: .*?(?:error) ?: (.*)$/.exec(line);
		return found?.[1] === undefined ? [] : [found[1]];
	});
	const valid = lines.some((line) => line === `${fileName} validates`);
	if (violations.length === 0 && !valid) {
		throw new Error(`No verdict of the validator on ${fileName}: ${output}`);
	}
	return violations;
}

/** Memory in WebAssembly pages of 64 KiB: 16 MiB at first, 512 MiB at most. */
const memory = { initialMemory: 256, maxMemory: 8192 };
/** Runs before a new thread is started: each run leaves 16 MiB for the garbage collector. */
const runsPerThread = 16;

/**
 * The package's own entry starts a thread per document. Each thread loads the TypeScript loader,
 * which takes 80 ms. One plain thread that is reused takes 5 ms per run and exchanges the same
 * messages.
 */
class Xmllint {
	#thread: Worker | undefined;
	#runs = 0;
	/** The thread's output so far: it reports all of it each time. */
	#seen = 0;

	/** Takes input files and command line arguments; gives xmllint's messages. One at a time. */
	async run(inputFiles: readonly TextFile[], args: readonly string[]): Promise<string> {
		if (this.#runs >= runsPerThread) await this.close();
		this.#runs += 1;
		const thread = (this.#thread ??= this.#start());
		thread.postMessage({ 'xmllint-wasm': true, inputFiles, args, ...memory });
		try {
			const { stderr, exitCode } = await answerOf(thread);
			if (exitCode < 0) throw new Error(`xmllint failed: ${stderr}`);
			const output = stderr.slice(this.#seen);
			this.#seen = stderr.length;
			return output;
		} catch (error) {
			await this.close();
			throw error;
		}
	}

	/** Ends the thread. */
	async close(): Promise<void> {
		await this.#thread?.terminate();
		this.#thread = undefined;
		this.#runs = 0;
		this.#seen = 0;
	}

	#start(): Worker {
		const script = createRequire(import.meta.url).resolve('xmllint-wasm/xmllint-node.js');
		const thread = new Worker(script, { execArgv: [] });
		thread.unref();
		return thread;
	}
}

interface Answer {
	stderr: string;
	exitCode: number;
}

async function answerOf(thread: Worker): Promise<Answer> {
	return await new Promise((done, failed) => {
		const ended = (): void => failed(new Error('The thread of xmllint ended'));
		thread.once('error', failed).once('exit', ended);
		thread.once('message', (answer: Answer) => {
			thread.off('error', failed).off('exit', ended);
			done(answer);
		});
	});
}
