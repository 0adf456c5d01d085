/**
 * Reads descriptions from disk: `node --import tsx dev/description/main.mts <file or folder…>`.
 *
 * Prints the operations of each WSDL file, and what of its types is not supported. Ends with status 1
 * if a file cannot be read.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Field } from '../../nodes/shared/contract/fields.ts';
import { readDocument } from '../../nodes/shared/soap/wsdl/documents.ts';
import { Wsdl } from '../../nodes/shared/soap/wsdl/Wsdl.ts';

function filesOf(path: string): string[] {
	if (!statSync(path).isDirectory()) return [path];
	const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
	return names.filter((name) => /\.wsdl$/i.test(name)).map((name) => join(path, name));
}

/** Reads a file and what it imports from disk; prints what cannot be read of that. */
function documentsOf(file: string) {
	const first = pathToFileURL(file).href;
	const documents = [readDocument(first, readFileSync(file, 'utf8'))];
	const known = new Set([first]);
	for (const { imports } of documents) {
		for (const address of imports.filter((next) => !known.has(next))) {
			known.add(address);
			try {
				documents.push(readDocument(address, readFileSync(new URL(address), 'utf8')));
			} catch (error) {
				console.log(`  import of ${address}: ${(error as Error).message}`);
			}
		}
	}
	return documents;
}

/** What is not supported within a value, each with its path. */
function* unsupportedIn(
	value: Field,
	path: string,
	seen: Set<object>,
): Generator<readonly [path: string, reason: string]> {
	if (value.kind === 'any') yield [path, value.unsupported];
	if (value.kind === 'list' || value.kind === 'repeated') {
		if (!seen.has(value.of)) yield* unsupportedIn(value.of, `${path}[]`, seen.add(value.of));
	}
	if (value.kind !== 'record' || seen.has(value.fields)) return;
	seen.add(value.fields);
	for (const [name, field] of Object.entries(value.fields)) {
		yield* unsupportedIn(field, `${path}.${name}`, seen);
	}
}

function report(file: string): void {
	const description = new Wsdl('Service', documentsOf(file));
	const seen = new Set<object>();
	for (const { name } of description.operations) {
		try {
			const { request, response } = description.operation(name);
			console.log(`  ${name}: typed`);
			for (const [field, value] of Object.entries({ ...request.fields, ...response.fields })) {
				for (const [path, reason] of unsupportedIn(value, `${name}.${field}`, seen)) {
					console.log(`  ${path}: ${reason}`);
				}
			}
		} catch (error) {
			console.log(`  ${name}: ${(error as Error).message.replace(/^.*parameters\. /, '')}`);
		}
	}
}

for (const file of process.argv.slice(2).flatMap(filesOf)) {
	console.log(relative('.', file));
	try {
		report(file);
	} catch (error) {
		console.log(`  not read: ${(error as Error).message}`);
		process.exitCode = 1;
	}
}
