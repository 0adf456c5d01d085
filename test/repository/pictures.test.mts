/** The pictures of the pages show texts of today; `README_PICTURES=1` makes the editor's suites take them again. */
import { readdirSync, readFileSync } from 'node:fs';
import { labels } from '../support/labels.mts';
import { recordedTexts, type PictureTexts } from '../support/pictures.mts';

const files = readdirSync('docs').filter((name) => name.endsWith('.png'));
const recorded = recordedTexts();
const pages = ['README.md', ...readdirSync('docs').map((name) => `docs/${name}`)]
	.filter((name) => name.endsWith('.md'))
	.map((name) => readFileSync(name, 'utf8'))
	.join('\n');

/** The texts in a picture that this package no longer has. */
const outdated = ({ labels: shown }: Pick<PictureTexts, 'labels'>): string[] =>
	shown.filter((text) => !labels.has(text));

it('each has its texts recorded', () => {
	expect(Object.keys(recorded).sort()).toEqual(files.sort());
});

it.each(files)('%s shows texts of today at double resolution, and a page uses it', (name) => {
	const { width = 0, labels: shown = [] } = recorded[name] ?? {};
	expect(shown.length).toBeGreaterThan(0);
	expect(outdated({ labels: shown })).toEqual([]);
	// The header of a PNG file begins with its width.
	expect(readFileSync(`docs/${name}`).readUInt32BE(16)).toBe(2 * width);
	expect(pages).toMatch(new RegExp(`\\]\\((?:docs/)?${name}\\)`));
});

it('a text of yesterday is found', () => {
	expect(outdated({ labels: ['Employee ID', 'Employee Number'] })).toEqual(['Employee Number']);
});
