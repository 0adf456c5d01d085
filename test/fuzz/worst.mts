/**
 * Looks for the document within the limits of `soap/checkXml` that takes most processor time or memory:
 * `worst.mts <seconds> [<seed>]`. A document is a unit that repeats. What one unit takes, and how many
 * the limits allow, are the score of a unit; the best units are changed further.
 */
import { randomFrom } from '../support/random.mts';
import { LIMITS } from '../../nodes/shared/soap/checkXml.ts';
import { parseXml } from '../../nodes/shared/soap/parseXml.ts';

/** Default of the option Response Size Limit, in characters: each of these is one byte. */
const MAX_CHARACTERS = 32 * 2 ** 20;

/** Length of the documents that a unit is measured in, in characters. */
const SAMPLE = 2 ** 20;

const KEPT = 8;

const PARTS = [
	...[
		'<a>',
		'</a>',
		'<a/>',
		'<a b="c"/>',
		'<a xmlns="u">',
		'<b:a xmlns:b="u"/>',
		'<a b="&lt;" c="">',
	],
	...[
		'<a',
		'>',
		'/>',
		' b=""',
		' c="&amp;"',
		' xmlns:d="u"',
		' d:e="f"',
		' xsi:type="b"',
		'<!---->',
	],
	...[
		'<!-- x -->',
		'<![CDATA[]]>',
		'<![CDATA[<]]>',
		'<?a b?>',
		'&lt;',
		'&#65;',
		'&#x1F9FE;',
		'\r\n',
		'\n',
	],
	...[' ', 'text', 'é', '𝄞', 'x'.repeat(100), '<EmployeeCostCenter>', '</EmployeeCostCenter>'],
];

interface Scored {
	readonly unit: string;
	/** Of the largest document of this unit. */
	readonly seconds: number;
	readonly mebibytes: number;
	readonly characters: number;
}

const documentOf = (unit: string, count: number): string =>
	`<r xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:d="u" xmlns:b="v">${unit.repeat(count)}</r>`;

/** Parses a document; returns the processor time in seconds and the memory that its elements take in MiB. */
function measured(text: string): Pick<Scored, 'seconds' | 'mebibytes'> {
	globalThis.gc?.();
	const before = process.memoryUsage().heapUsed;
	const cpu = process.cpuUsage();
	const parsed = parseXml(text);
	const { user, system } = process.cpuUsage(cpu);
	globalThis.gc?.();
	const mebibytes = (process.memoryUsage().heapUsed - before) / 2 ** 20;
	if (parsed.children.length < 0) throw new Error('The document is still needed here');
	return { seconds: (user + system) / 1e6, mebibytes };
}

/** Loaded by tsx, the module of the class exists twice. */
function isXmlError(error: unknown): error is Error {
	return error instanceof Error && error.name === 'XmlError';
}

/** How many units the limits allow, about. */
function mostOf(unit: string): number {
	const of = (pattern: RegExp): number => unit.match(pattern)?.length ?? 0;
	const text = 3 * unit.length * (/[^\0-\xff]/.test(unit) ? 2 : 1);
	const [elements = 0, withAttributes = 0, withPrefixes = 0] = [
		/<[^/!?]/g,
		/<[^>]*=/g,
		/<[^>]*xmlns/g,
	].map(of);
	const memory = text + 100 * elements + 200 * withAttributes + 250 * withPrefixes;
	return Math.floor(
		Math.min(
			MAX_CHARACTERS / unit.length,
			(0.99 * LIMITS['MiB in memory'] * 2 ** 20) / memory,
			(0.99 * LIMITS.elements) / of(/<(?!\/)/g),
			(0.99 * LIMITS['references and line ends']) / of(/&|\r\n?|\n/g),
		),
	);
}

/** Scores a unit; `undefined` if its document is not well-formed. */
function scored(unit: string): Scored | undefined {
	const count = Math.ceil(SAMPLE / unit.length);
	try {
		measured(documentOf(unit, 1));
		const { seconds, mebibytes } = measured(documentOf(unit, count));
		const most = mostOf(unit);
		const scale = most / count;
		const characters = unit.length * most;
		return { unit, seconds: seconds * scale, mebibytes: mebibytes * scale, characters };
	} catch (error) {
		if (isXmlError(error)) return undefined;
		throw error;
	}
}

/** Measures the largest document of a unit. */
function largest(unit: string): Scored {
	for (let count = mostOf(unit); ; count = Math.floor(0.95 * count)) {
		try {
			return { unit, characters: unit.length * count, ...measured(documentOf(unit, count)) };
		} catch (error) {
			if (!isXmlError(error)) throw error;
		}
	}
}

function describe({ unit, seconds, mebibytes, characters }: Scored): string {
	const size = (characters / 2 ** 20).toFixed(1);
	return `${seconds.toFixed(2)} s, ${mebibytes.toFixed(0)} MiB (${size} MiB of ${JSON.stringify(unit)})`;
}

const [seconds = '600', seed = '1'] = process.argv.slice(2);
const dice = randomFrom(Number(seed));
const pick = <T,>(list: readonly T[]): T => list[Math.floor(dice() * list.length)] as T;

function changed(unit: string): string {
	const at = Math.floor(dice() * (unit.length + 1));
	switch (Math.floor(dice() * 4)) {
		case 0:
			return unit.slice(0, at) + pick(PARTS) + unit.slice(at);
		case 1:
			return unit.slice(0, at) + unit.slice(at + 1 + Math.floor(dice() * 8));
		case 2:
			return unit + pick(PARTS);
		default:
			return `<a>${unit}</a>`;
	}
}

const best: Record<'seconds' | 'mebibytes', Scored[]> = { seconds: [], mebibytes: [] };
let tried = 0;
let read = 0;
const until = Date.now() + Number(seconds) * 1000;
let start = [...PARTS, '<a><b>text</b></a>', '<r><Field>a value</Field>\r\n</r>'];
while (Date.now() < until) {
	const [next, ...rest] = start;
	start = rest;
	const known = [...best.seconds, ...best.mebibytes];
	const unit = next ?? changed(known.length === 0 ? pick(PARTS) : pick(known).unit);
	tried += 1;
	const found = unit === '' ? undefined : scored(unit);
	if (found === undefined) continue;
	read += 1;
	for (const what of ['seconds', 'mebibytes'] as const) {
		if (best[what].some((one) => one.unit === unit)) continue;
		best[what] = [...best[what], found].sort((a, b) => b[what] - a[what]).slice(0, KEPT);
	}
}
console.log(`${tried} units, ${read} of them well-formed`);
for (const what of ['seconds', 'mebibytes'] as const) {
	const [worst] = best[what];
	if (worst === undefined) continue;
	console.log(`Most ${what}, estimated: ${describe(worst)}`);
	console.log(`  measured: ${describe(largest(worst.unit))}`);
}
