/** All kinds of values that are a text on the wire: which values are allowed, and how they are written and read. */
import { onceFor, type ScalarField } from '../contract/fields';
import { LIMITS } from '../contract/limits';
import { at, collect, invalidInput, invalidValue, missing } from './InputError';
import {
	type Kind,
	notOfKind,
	numberAsText,
	numbers,
	refuseName,
	refuseSlip,
	type ScalarValue,
	tooLong,
} from './kind';
import { isEmpty, isInstant, type Values } from './values';

/** Whether XML 1.0 allows every character of a text. With the `u` flag, lone surrogates are found, too. */
export function isXmlText(text: string): boolean {
	return !/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u.test(text);
}

/** The codes of ISO 3166-1, of two and of three letters, and XK: Kosovo has none there. */
const ISO_3166 = `
	ADAND AEARE AFAFG AGATG AIAIA ALALB AMARM AOAGO AQATA ARARG ASASM ATAUT AUAUS AWABW AXALA AZAZE
	BABIH BBBRB BDBGD BEBEL BFBFA BGBGR BHBHR BIBDI BJBEN BLBLM BMBMU BNBRN BOBOL BQBES BRBRA BSBHS
	BTBTN BVBVT BWBWA BYBLR BZBLZ CACAN CCCCK CDCOD CFCAF CGCOG CHCHE CICIV CKCOK CLCHL CMCMR CNCHN
	COCOL CRCRI CUCUB CVCPV CWCUW CXCXR CYCYP CZCZE DEDEU DJDJI DKDNK DMDMA DODOM DZDZA ECECU EEEST
	EGEGY EHESH ERERI ESESP ETETH FIFIN FJFJI FKFLK FMFSM FOFRO FRFRA GAGAB GBGBR GDGRD GEGEO GFGUF
	GGGGY GHGHA GIGIB GLGRL GMGMB GNGIN GPGLP GQGNQ GRGRC GSSGS GTGTM GUGUM GWGNB GYGUY HKHKG HMHMD
	HNHND HRHRV HTHTI HUHUN IDIDN IEIRL ILISR IMIMN ININD IOIOT IQIRQ IRIRN ISISL ITITA JEJEY JMJAM
	JOJOR JPJPN KEKEN KGKGZ KHKHM KIKIR KMCOM KNKNA KPPRK KRKOR KWKWT KYCYM KZKAZ LALAO LBLBN LCLCA
	LILIE LKLKA LRLBR LSLSO LTLTU LULUX LVLVA LYLBY MAMAR MCMCO MDMDA MEMNE MFMAF MGMDG MHMHL MKMKD
	MLMLI MMMMR MNMNG MOMAC MPMNP MQMTQ MRMRT MSMSR MTMLT MUMUS MVMDV MWMWI MXMEX MYMYS MZMOZ NANAM
	NCNCL NENER NFNFK NGNGA NINIC NLNLD NONOR NPNPL NRNRU NUNIU NZNZL OMOMN PAPAN PEPER PFPYF PGPNG
	PHPHL PKPAK PLPOL PMSPM PNPCN PRPRI PSPSE PTPRT PWPLW PYPRY QAQAT REREU ROROU RSSRB RURUS RWRWA
	SASAU SBSLB SCSYC SDSDN SESWE SGSGP SHSHN SISVN SJSJM SKSVK SLSLE SMSMR SNSEN SOSOM SRSUR SSSSD
	STSTP SVSLV SXSXM SYSYR SZSWZ TCTCA TDTCD TFATF TGTGO THTHA TJTJK TKTKL TLTLS TMTKM TNTUN TOTON
	TRTUR TTTTO TVTUV TWTWN TZTZA UAUKR UGUGA UMUMI USUSA UYURY UZUZB VAVAT VCVCT VEVEN VGVGB VIVIR
	VNVNM VUVUT WFWLF WSWSM XKXKX YEYEM YTMYT ZAZAF ZMZMB ZWZWE
`;

const english = new Intl.DisplayNames(['en'], { type: 'region' });

/** The countries with their English names, in the order of these. */
export const countries = ISO_3166.trim()
	.split(/\s+/)
	.map((codes) => {
		const [code, three] = [codes.slice(0, 2), codes.slice(2)];
		return { code, three, name: english.of(code) ?? code };
	})
	.sort((a, b) => a.name.localeCompare(b.name));

/** A name without regard to case, accents and punctuation. */
const plain = (name: string): string =>
	name
		.normalize('NFD')
		.replace(/[^\p{L}\p{N}]/gu, '')
		.toLowerCase();

/** The codes of countries by their names: the codes themselves, and those in English and in Dutch. */
const codesByName = onceFor((all: typeof countries): ReadonlyMap<string, string> => {
	const dutch = new Intl.DisplayNames(['nl'], { type: 'region' });
	const entries = all.flatMap(({ code, three, name }) =>
		[code, three, name, dutch.of(code) ?? code].map((own) => [plain(own), code] as const),
	);
	return new Map(entries);
});

/** Other words for the two values, in English and Dutch, in lower case. */
const TRUE_WORDS = '1 yes y on ja j waar aan'.split(' ');
const FALSE_WORDS = '0 no n off nee onwaar uit'.split(' ');

function readBase64(text: string): string | undefined {
	const digits = text.replace(/[\t\n\r ]+/g, '');
	// Bytes are written in one way: any other letter, length or last bit differs.
	return Buffer.from(digits, 'base64').toString('base64') === digits ? digits : undefined;
}

/** Base64 of a file, from its beginning on: each word of a text is tried once. */
const FILE = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{1000}[A-Za-z0-9+/]*={0,2}/g;

/** Returns a text with the size of each file in place of its base64. */
export function withoutFiles(text: string): string {
	return text.replace(FILE, (file) => `(base64 of ${Buffer.byteLength(file, 'base64')} bytes)`);
}

const DATE = '-?((?!0000)\\d{4}|[1-9]\\d{4,})-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])';
const TIME = '(?:(?:[01]\\d|2[0-3])(?::[0-5]\\d){2}(?:\\.\\d+)?|24:00:00(?:\\.0+)?)';
const ZONE = '(?:Z|[+-](?:(?:0\\d|1[0-3]):[0-5]\\d|14:00))?';

/** The start of a day, as n8n's date picker gives a date: one o'clock, where clocks are set forward at midnight. */
const DAY_START = /^([^T]*)T0[01]:00(?::00(?:\.0+)?)?(?:Z|[+-]\d\d:\d\d)?$/;

/** Returns a `Date` or a DateTime of Luxon as text, `null` if it is invalid; any other value as it is. */
export function instantOf(value: unknown): unknown {
	return isInstant(value) ? value.toJSON() : value;
}

/** The day 29 February 1900 of Excel, which the calendar does not have, and its last one, 9999-12-31. */
const [NO_DAY, LAST_DAY] = [60, 2_958_465];

/** Returns a date and time as spreadsheets store them, in days: 45992.5 → "2025-12-01T12:00:00", 0.5 → "12:00:00". */
function dateOfSpreadsheet(value: unknown): string | undefined {
	const isNumber = typeof value === 'string' && /^\s*\d+(?:\.\d+)?\s*$/.test(value);
	const days = isNumber ? Number(value) : value;
	if (typeof days !== 'number' || !(days >= 0 && days < LAST_DAY + 1)) return undefined;
	if (Math.floor(days) === NO_DAY) return undefined;
	const start = Date.UTC(1899, 11, days < NO_DAY ? 31 : 30);
	const seconds = Math.round(days * 86_400);
	const text = new Date(start + seconds * 1000).toISOString().slice(0, -'.000Z'.length);
	// Up to 24, a part of a day or its hour: 9.30 is not 07:12.
	return days < 24 ? text.split('T')[days < 1 ? 1 : 0] : text;
}

/** A date or a time as XML Schema writes it. @param pick returns the part of an instant that is a value of this kind */
function temporal(
	expected: string,
	pattern: string,
	example: string,
	pick: (instant: string, value: unknown) => string | undefined,
): Kind {
	const form = new RegExp(`^${pattern}${ZONE}$`);
	const readText = (text: string): string | undefined => {
		const trimmed = text.trim();
		const match = form.exec(trimmed);
		if (match === null) return undefined;
		const [, year, month, day] = match;
		if (year === undefined) return trimmed;
		// The calendar repeats every 400 years.
		const cycle = 2000 + (Number(year.slice(-4)) % 400);
		const lastDay = new Date(Date.UTC(cycle, Number(month), 0)).getUTCDate();
		return Number(day) <= lastDay ? trimmed : undefined;
	};
	return {
		expected,
		example,
		write(value) {
			const instant = instantOf(value);
			const text = typeof instant === 'string' && readText(pick(instant, value) ?? instant);
			if (typeof text === 'string') return text;
			if (isEmpty(value)) throw missing();
			const cell = dateOfSpreadsheet(value) ?? '';
			const meant = [cell, ...cell.split('T')].find((part) => form.test(part));
			const kept = expected.replace('a ', 'an Excel ');
			const advice = meant ? `If it is ${kept}, write ${meant}` : `Write it like ${example}`;
			throw invalidValue(value, `is not ${expected}. ${advice}`);
		},
		read: readText,
	};
}

const kinds: { readonly [K in ScalarField['kind']]: Kind<ScalarField & { kind: K }> } = {
	...numbers,
	/** A text; whitespace in it is kept. Spreadsheets and expressions provide a house number as a number. */
	string: {
		expected: 'a text',
		write(value) {
			const text = numberAsText(value);
			if (typeof text !== 'string') throw notOfKind(value, 'a text');
			refuseSlip(text);
			if (!isXmlText(text)) {
				throw invalidValue(value, 'contains a control character or a broken emoji.');
			}
			return text;
		},
		read: (text) => text,
	},
	/**
	 * One of the names of the field, also as `"work address"`, or a number or boolean in JSON. A name that the interface
	 * does not list yet is refused in a request, and passed on from an answer.
	 */
	enumeration: {
		expected: 'one of a set of names',
		write(value, { values }): string {
			const given = typeof value === 'boolean' ? String(value) : numberAsText(value);
			if (typeof given !== 'string') return refuseName(value, values);
			if (values.includes(given)) return given;
			const [meant, other] = values.filter((name) => plain(given) && plain(name) === plain(given));
			return meant !== undefined && other === undefined ? meant : refuseName(value, values);
		},
		read: (text, { values }) => (values.includes(text) ? text : text.trim()),
	},
	/** A code of two letters: `"NL"`, `"nl"`, `"NLD"`, `"Nederland"` → `NL`; not `"UK"`, whose correction is offered. */
	country: {
		expected: 'a country code',
		example: 'NL',
		write(value): string {
			if (isEmpty(value)) {
				throw invalidInput('is empty. Write two letters, such as NL', 'VALUE_EMPTY');
			}
			const text = typeof value === 'string' ? plain(value) : '';
			const codes = codesByName(countries);
			const code = codes.get(text);
			if (code !== undefined) return code;
			// Other codes have names, too: UK, SU.
			const names = new Intl.DisplayNames(['en'], { type: 'region' });
			const name = /^[a-z]{2}$/.test(text) ? names.of(text.toUpperCase()) : undefined;
			const meant = codes.get(plain(name ?? '')) ?? 'one such as NL';
			throw notOfKind(value, 'a country or its code of two letters', [meant]);
		},
		read: (text) => text,
	},
	/**
	 * - written: `true`, `"true"` and what spreadsheets give, `"TRUE"` → `true`; not `1`, `"yes"`, whose correction is offered
	 * - read: `true` and `1` → `true`
	 */
	boolean: {
		expected: 'true or false',
		example: true,
		write(value) {
			const word = typeof value === 'object' ? '' : String(value).trim().toLowerCase();
			if (word === 'true' || word === 'false') return word;
			if (isEmpty(value)) throw missing();
			const meant = TRUE_WORDS.includes(word) ? 'true' : FALSE_WORDS.includes(word) && 'false';
			throw invalidValue(value, `is neither true nor false${meant ? `. Write ${meant}` : '.'}`);
		},
		read(text) {
			const name = text.trim();
			if (name === 'true' || name === '1') return true;
			return name === 'false' || name === '0' ? false : undefined;
		},
	},
	/** Bytes: `aGVs\nbG8=` → `aGVsbG8=`; not `"aGVsbG8"`. */
	base64Binary: {
		expected: 'base64',
		write(value) {
			const text = typeof value === 'string' ? readBase64(value) : undefined;
			if (text === undefined) throw notOfKind(value, 'base64');
			return text;
		},
		read: readBase64,
	},
	/** `2026-11-22T09:30:00` as it is; a date of a spreadsheet: `2026-11-22` → `2026-11-22T00:00:00`. */
	dateTime: temporal('a date and time', `${DATE}T${TIME}`, '2026-01-31T12:00:00', (instant) =>
		instant.replace(/^\s*([\d-]+)\s*$/, '$1T00:00:00'),
	),
	/** `2026-11-22` as it is; the start of a day: `2026-11-22T00:00:00.000+01:00` → `2026-11-22`. */
	date: temporal('a date', DATE, '2026-01-31', (instant) => DAY_START.exec(instant)?.[1]),
	/** `09:30:00` as it is; of an object, such as Luxon's, `09:30:00.000+01:00`. A text with a date may mean both. */
	time: temporal('a time', TIME, '12:00:00', (instant, value) =>
		typeof value === 'object' ? instant.split('T')[1] : undefined,
	),
};

/** Returns the rules of a field's kind. */
export function kindOf({ kind }: ScalarField): Kind {
	return kinds[kind];
}

/** Whether a text is too long to be a number, a date or a time. */
function isTooLong({ kind }: ScalarField, value: unknown): boolean {
	if (['string', 'enumeration', 'base64Binary'].includes(kind)) return false;
	return typeof value === 'string' && value.trim().length > LIMITS.name;
}

/** Returns a value as the text that is sent. @throws {InputError} if it is not of the field's kind */
export function writeScalar(field: ScalarField, value: unknown): string {
	if (isTooLong(field, value)) throw tooLong(value);
	return kindOf(field).write(value, field);
}

/** Returns the value of a text that was received; `undefined` if it is not of the field's kind. */
export function readScalar(field: ScalarField, text: string): ScalarValue | undefined {
	return isTooLong(field, text) ? undefined : kindOf(field).read(text, field);
}

/**
 * Returns the name of a service or an operation that the contract does not define; the error calls it `what`.
 *
 * @throws {InputError} if the name is missing or malformed
 */
export function checkSentName(name: unknown, what: string): string {
	if (isEmpty(name)) throw missing();
	// It is also sent in the `SOAPAction` header: an `NCName` of ASCII characters.
	if (typeof name === 'string' && /^[A-Za-z_][\w.-]*$/.test(name)) return name;
	throw invalidValue(name, `is not the name of ${what}.`);
}

function checkDepth(value: unknown, levels: number): void {
	if (typeof value === 'bigint') throw notOfKind(value, 'a value of JSON. Write it as a string');
	if (typeof value !== 'object' || value === null) return;
	// A date is a value of its own.
	if (isInstant(value) || ArrayBuffer.isView(value)) return;
	if (levels === 0) throw invalidInput(`is nested deeper than ${LIMITS.depth} levels.`);
	for (const inner of Object.values(value)) checkDepth(inner, levels - 1);
}

/** @throws {InputError} with every value that JSON cannot hold: nested too deeply, or a BigInt */
export function checkReadable(values: Readonly<Values>): void {
	const depth = LIMITS.depth - 1;
	collect(Object.entries(values), ([name, value]) => at(name, () => checkDepth(value, depth)));
}
