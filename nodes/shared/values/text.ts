/** Texts and names: what XML allows of them, `string`, `enumeration`, `boolean`, `base64Binary` and `country`. */
import { isEmpty } from './values';
import { type EnumerationField, onceFor } from '../contract/fields';
import { invalidInput, invalidValue, missing } from '../errors/InputError';
import { LIMITS } from '../contract/limits';
import { type Kind, notOfKind, refuseName, refuseSlip, trimmed } from './kind';
import { numberAsText } from './numbers';

/** Characters that XML 1.0 does not allow. With the `u` flag, they include lone surrogates. */
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

/** Whether XML 1.0 allows every character of a text. */
export function isXmlText(text: string): boolean {
	return !NOT_XML.test(text);
}

/** The characters that a name can begin with, as the content of a class of a regular expression. */
const LETTERS =
	'A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}' +
	'\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}';
const NC_NAME = new RegExp(`^[${LETTERS}][${LETTERS}0-9.\\u{B7}-]*$`, 'u');

/**
 * Whether a text is an XML name without a prefix (`NCName` of XML namespaces), and not too long. Combining
 * marks and joiners are not supported: no name of the service has them.
 */
export function isXmlName(text: string): boolean {
	return text.length <= LIMITS.name && NC_NAME.test(text);
}

/**
 * A text; whitespace in it is kept. Spreadsheets and expressions provide a house number as a number.
 *
 * - written: `" a\n"` → ` a\n`, `241` → `241`; not `true`, nor `"\u0000"`, which XML does not allow
 */
export const string = {
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
} satisfies Kind;

/** A name without regard to case, accents and punctuation. */
const plain = (name: string): string =>
	name
		.normalize('NFD')
		.replace(/[^\p{L}]/gu, '')
		.toLowerCase();

const namesIn = onceFor((values: readonly string[]) => new Set(values));

/**
 * One of the names of the field. A name that the interface does not list yet is refused in a request,
 * and passed on from an answer. JSON may have a name as a number.
 *
 * - written: `"WorkAddress"`, `"work address"` → `WorkAddress`
 * - read: ` WorkAddress ` → `"WorkAddress"`, `MoonAddress` → `"MoonAddress"`
 */
export const enumeration = {
	expected: 'one of a set of names',
	write(value, { values }): string {
		const name = numberAsText(value);
		if (typeof name === 'string' && namesIn(values).has(name)) return name;
		const same = values.filter((one) => typeof name === 'string' && plain(one) === plain(name));
		return same.length === 1 ? (same[0] ?? '') : refuseName(value, values);
	},
	read: (text, { values }) => (namesIn(values).has(text) ? text : text.trim()),
	canonical: (value, field): string =>
		typeof value === 'string' ? value : enumeration.write(value, field),
} satisfies Kind<EnumerationField>;

/** Other words for the two values, in English and Dutch, in lower case. */
const TRUE_WORDS: ReadonlySet<string> = new Set('true 1 yes y on ja j waar aan'.split(' '));
const FALSE_WORDS: ReadonlySet<string> = new Set('false 0 no n off nee onwaar uit'.split(' '));

/**
 * - written: `true` and `"true"` → `true`; not `1`, `"yes"`, whose correction is offered
 * - read: `true` and `1` → `true`
 */
export const boolean = {
	expected: 'true or false',
	example: true,
	write(value) {
		if (value === true || value === 'true') return 'true';
		if (value === false || value === 'false') return 'false';
		if (isEmpty(value)) throw missing();
		const word = typeof value === 'object' ? '' : String(value).trim().toLowerCase();
		const meant = TRUE_WORDS.has(word) ? 'true' : FALSE_WORDS.has(word) && 'false';
		throw invalidValue(value, `is neither true nor false${meant ? `. Write ${meant}` : '.'}`);
	},
	read(text) {
		const name = text.trim();
		if (name === 'true' || name === '1') return true;
		return name === 'false' || name === '0' ? false : undefined;
	},
} satisfies Kind;

/** Whether a text is what its own bytes are written as: any other letter, length or last bit differs. */
const isBase64 = (text: string): boolean => Buffer.from(text, 'base64').toString('base64') === text;

function readBase64(text: string): string | undefined {
	if (isBase64(text)) return text;
	const digits = text.replace(/[\t\n\r ]+/g, '');
	return isBase64(digits) ? digits : undefined;
}

/** Bytes: `aGVs\nbG8=` → `aGVsbG8=`; not `"aGVsbG8"`. */
export const base64Binary = {
	expected: 'base64',
	write(value) {
		const text = typeof value === 'string' ? readBase64(value) : undefined;
		if (text === undefined) throw notOfKind(value, 'base64');
		return text;
	},
	read: readBase64,
} satisfies Kind;

/** The codes of two and of three letters. */
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
	VNVNM VUVUT WFWLF WSWSM YEYEM YTMYT ZAZAF ZMZMB ZWZWE
`;

const codes: ReadonlyMap<string, string> = new Map(
	ISO_3166.trim()
		.split(/\s+/)
		.map((pair) => [pair.slice(0, 2), pair.slice(2)]),
);

/** Returns the countries with their English names, in the order of these. */
export function countries(): ReadonlyArray<{ readonly code: string; readonly name: string }> {
	const english = new Intl.DisplayNames(['en'], { type: 'region' });
	return [...codes.keys()]
		.map((code) => ({ code, name: english.of(code) ?? code }))
		.sort((one, other) => one.name.localeCompare(other.name));
}

/** The codes by other names of their countries: of three letters, in English and in Dutch. */
const codesByName = onceFor((all: typeof codes): ReadonlyMap<string, string> => {
	const languages = ['en', 'nl'].map((one) => new Intl.DisplayNames([one], { type: 'region' }));
	const names = [...all].flatMap(([code, long]) =>
		[code, long, ...languages.map((language) => language.of(code) ?? code)].map(
			(name) => [plain(name), code] as const,
		),
	);
	return new Map(names);
});

/**
 * Two upper-case letters, whether or not a country has them: the service decides.
 *
 * - written: `"NL"`, `"nl"`, `"NLD"`, `"Nederland"` → `NL`
 * - read: any text
 */
export const country = {
	expected: 'a country code',
	example: 'NL',
	write(value): string {
		const text = trimmed(value);
		if (typeof text === 'string' && /^[A-Z]{2}$/.test(text)) return text;
		if (isEmpty(value))
			throw invalidInput('is empty. Write two letters, such as NL', 'VALUE_EMPTY');
		const meant = typeof text === 'string' ? codesByName(codes).get(plain(text)) : undefined;
		if (meant !== undefined) return meant;
		throw notOfKind(value, 'a country or its code of two letters', ['one such as NL']);
	},
	read: (text) => text,
	// The service may send what a request must not have.
	canonical: (value): string => string.write(value),
} satisfies Kind;

/** Base64 of a file, from its beginning on: each word of a text is tried once. */
const FILE = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{1000}[A-Za-z0-9+/]*={0,2}/g;

/** Returns a text with the size of each file in place of its base64. */
export function withoutFiles(text: string): string {
	return text.replace(FILE, (file) => `(base64 of ${Buffer.byteLength(file, 'base64')} bytes)`);
}
