/** What can be read in the pictures of the pages: `docs/pictures.json`, which is written with them. */
import { readFileSync } from 'node:fs';

/** The file, from the root of the repository. */
export const PICTURES = 'docs/pictures.json';

/** What can be read in a picture. */
export interface PictureTexts {
	/** Its width in pixels of the page, of which the file has two for each. */
	width: number;
	/** The texts of this package: labels, descriptions, errors, names of examples' nodes. */
	labels: string[];
	/** All other texts: those of n8n, values, and texts that are put together. */
	others: string[];
}

/** The recorded texts, by the name of the picture's file. */
export function recordedTexts(): Record<string, PictureTexts> {
	return JSON.parse(readFileSync(PICTURES, 'utf8')) as Record<string, PictureTexts>;
}
