/** Validates SOAP documents against the XML schemas of this folder, with libxml2's validator. */
import { schemaFile, schemasOf, services, type Service } from './schemas.mts';
import { dialects } from './soap-reply.mts';
import { Xmllint } from './xmllint.mts';
import type { TextFile } from './xmllint.mts';

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
