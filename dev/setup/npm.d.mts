import type { SpawnSyncOptionsWithStringEncoding, SpawnSyncReturns } from 'node:child_process';

export function npm(
	args: readonly string[],
	options: SpawnSyncOptionsWithStringEncoding,
): SpawnSyncReturns<string>;

export function npmOutput(args: readonly string[]): string;

export function pack(folder: string): { tarball: string; files: string[] };
