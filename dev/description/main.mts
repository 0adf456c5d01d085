/**
 * Reads descriptions from disk: `node --import tsx dev/description/main.mts <file or folder…>`.
 *
 * Prints the operations of each WSDL file, what of its types is not supported, and totals. Ends with
 * status 1 if a file cannot be read.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { SchemaValue } from '../../nodes/shared/contract/schemaFields.ts';
import {
	readDocument,
	type DescriptionDocument,
} from '../../nodes/shared/soap/description/documents.ts';
import { readDescription } from '../../nodes/shared/soap/description/readDescription.ts';
import { Schemas } from '../../nodes/shared/soap/description/schemas.ts';
import { Types } from '../../nodes/shared/soap/description/types.ts';

/** What was met how often. */
class Totals {
	readonly #counts = new Map<string, number>();

	add(what: string): void {
		// Names belong to one file.
		const kind = what
			.replace(/"[^"]*"|\(.*\)/g, '…')
			.replace(/the element \S+ as its (\S+), not .*/, 'the element … as its $1, not …');
		this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
	}

	lines(): string[] {
		const sorted = [...this.#counts].sort(([, one], [, other]) => other - one);
		return sorted.map(([what, count]) => `${String(count).padStart(7)} ${what}`);
	}
}

const totals = { operations: new Totals(), fields: new Totals(), failures: new Totals() };

function filesOf(path: string): string[] {
	if (!statSync(path).isDirectory()) return [path];
	const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
	return names.filter((name) => /\.wsdl$/i.test(name)).map((name) => join(path, name));
}

/** Reads a file and what it imports from disk; prints what cannot be read of that. */
function documentsOf(file: string): DescriptionDocument[] {
	const address = pathToFileURL(file).href;
	const documents = [readDocument(address, readFileSync(file, 'utf8'))];
	const known = new Set([address]);
	for (const { imports } of documents) {
		for (const next of imports) {
			if (known.has(next)) continue;
			known.add(next);
			try {
				const path = fileURLToPath(next);
				if (!existsSync(path)) throw new Error('no such file');
				documents.push(readDocument(next, readFileSync(path, 'utf8')));
			} catch (error) {
				console.log(`  import of ${next}: ${(error as Error).message}`);
			}
		}
	}
	return documents;
}

/** What is not supported within a value, each with its path. */
function* unsupportedIn(
	value: SchemaValue & { readonly unsupported?: string },
	path: string,
	seen: Set<object>,
): Generator<readonly [path: string, reason: string]> {
	if (value.unsupported !== undefined) yield [path, value.unsupported];
	if (value.kind === 'list' || value.kind === 'repeated') {
		if (!seen.has(value.of)) yield* unsupportedIn(value.of, `${path}[]`, seen.add(value.of));
	}
	if (value.kind !== 'record' || seen.has(value.fields)) return;
	seen.add(value.fields);
	for (const [name, field] of Object.entries(value.fields)) {
		yield* unsupportedIn(field, `${path}.${name}`, seen);
	}
	for (const derived of value.derived ?? []) yield* unsupportedIn(derived, derived.type, seen);
}

function report(file: string): void {
	console.log(relative('.', file));
	const documents = documentsOf(file);
	const description = readDescription('Service', documents);
	for (const { name, unsupported } of description.operations) {
		let state = unsupported ?? 'typed';
		try {
			if (unsupported === undefined) description.operation(name);
		} catch (error) {
			state = (error as Error).message.replace(/^.*parameters\. /, '');
		}
		totals.operations.add(state);
		console.log(`  ${name}: ${state}`);
	}
	const schemas = new Schemas(documents);
	const types = new Types(schemas, description.namespace);
	const seen = new Set<object>();
	for (const element of schemas.elements()) {
		for (const [path, reason] of unsupportedIn(types.ofElement(element), element.name, seen)) {
			totals.fields.add(reason);
			console.log(`  ${path}: ${reason}`);
		}
	}
}

const files = process.argv.slice(2).flatMap(filesOf);
for (const file of files) {
	try {
		report(file);
	} catch (error) {
		console.log(`  not read: ${(error as Error).message}`);
		totals.failures.add((error as Error).message);
		process.exitCode = 1;
	}
}
console.log(`\n${files.length} files`);
for (const [title, of] of Object.entries(totals)) console.log(`${title}\n${of.lines().join('\n')}`);
