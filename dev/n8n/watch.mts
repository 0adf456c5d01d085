/** Compiles changed sources into the package that a running n8n has installed; n8n then loads them again. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';

/** Makes n8n load a package again when one of its files changes. */
export const HOT_RELOAD: NodeJS.ProcessEnv = { N8N_DEV_RELOAD: 'true' };

/** Matches the import of what neither n8n nor Node.js has. */
const LIBRARY = /\brequire\("(?!\.|node:|n8n-workflow")([^"]+)"\)/g;

/**
 * Compiles the sources of a checkout in place of the bundle, then again whenever one changes. Files that stay the same are not written. The
 * result has source maps, for a debugger.
 *
 * @param checkout the folder of tsconfig.json
 * @param userFolder the folder of an n8n in which the package is installed
 * @param say receives errors of the compiler, and when it has finished
 * @returns the function that ends it
 * @throws Error if the package is not installed there
 */
export function watchSources(
	checkout: string,
	userFolder: string,
	say: (line: string) => void,
): () => void {
	const outDir = join(userFolder, '.n8n', 'nodes', 'node_modules', 'n8n-nodes-payroll', 'dist');
	if (!existsSync(outDir)) throw new Error(`The package is not installed in ${userFolder}`);
	const { resolve } = createRequire(join(checkout, 'package.json'));
	const writeFile: ts.System['writeFile'] = (file, text, ...others) => {
		// The build bundles the libraries, which the installed package does not have.
		const module = text.replace(
			LIBRARY,
			(_, name: string) => `require(${JSON.stringify(resolve(name))})`,
		);
		if (existsSync(file) && readFileSync(file, 'utf8') === module) return;
		ts.sys.writeFile(file, module, ...others);
	};
	const format: ts.FormatDiagnosticsHost = {
		getCanonicalFileName: (file) => file,
		getCurrentDirectory: () => checkout,
		getNewLine: () => '\n',
	};
	const report = (diagnostic: ts.Diagnostic): void =>
		say(ts.formatDiagnostic(diagnostic, format).trimEnd());
	const host = ts.createWatchCompilerHost(
		join(checkout, 'tsconfig.json'),
		{ outDir, inlineSourceMap: true },
		{ ...ts.sys, writeFile },
		ts.createEmitAndSemanticDiagnosticsBuilderProgram,
		report,
		({ messageText }) => say(ts.flattenDiagnosticMessageText(messageText, '\n')),
	);
	const program = ts.createWatchProgram(host);
	return () => program.close();
}
