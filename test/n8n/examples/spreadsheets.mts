/** XLSX files, made and read with the library that n8n itself uses. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installN8n, newestN8n } from '../../../dev/n8n/install.mts';

/** What is used of the library. */
interface Xlsx {
	utils: {
		aoa_to_sheet(rows: unknown[][]): object;
		sheet_to_json(sheet: object | undefined, options: object): unknown[][];
	};
	write(book: object, options: object): Buffer;
	read(data: Buffer): { SheetNames: string[]; Sheets: Record<string, object> };
}

async function library(): Promise<Xlsx> {
	const { folder } = await installN8n(newestN8n);
	return createRequire(join(folder, 'package.json'))('@e965/xlsx') as Xlsx;
}

/** Makes a file of one sheet: numbers stay numbers, null is an empty cell. */
export async function toXlsx(rows: unknown[][]): Promise<Uint8Array<ArrayBuffer>> {
	const { utils, write } = await library();
	const book = { SheetNames: ['Sheet'], Sheets: { Sheet: utils.aoa_to_sheet(rows) } };
	return Uint8Array.from(write(book, { type: 'buffer', bookType: 'xlsx' }));
}

/** Reads the first sheet of a file. */
export async function fromXlsx(data: Buffer): Promise<unknown[][]> {
	const { utils, read } = await library();
	const { SheetNames, Sheets } = read(data);
	return utils.sheet_to_json(Sheets[SheetNames[0] ?? ''], { header: 1 });
}
