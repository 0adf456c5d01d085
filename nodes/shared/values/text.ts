/** The kinds of texts and names: `string`, `enumeration`, `boolean`, `base64Binary` and `country`. */
import { isEmpty } from './values';
import { type EnumerationField, onceFor } from '../contract/fields';
import { invalidInput, invalidValue, missing } from './InputError';
import { type Kind, notOfKind, refuseName, refuseSlip, trimmed } from './kind';
import { numberAsText } from './numbers';

/** Characters that XML 1.0 does not allow. With the `u` flag, they include lone surrogates. */
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

/** Whether XML 1.0 allows every character of a text. */
export function isXmlText(text: string): boolean {
	return !NOT_XML.test(text);
}

/** A text; whitespace in it is kept. Spreadsheets and expressions provide a house number as a number. */
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
		.replace(/[^\p{L}\p{N}]/gu, '')
		.toLowerCase();

/**
 * One of the names of the field, also as `"work address"`, or a number in JSON. A name that the interface does not list
 * yet is refused in a request, and passed on from an answer.
 */
export const enumeration = {
	expected: 'one of a set of names',
	write(value, { values }): string {
		const given = numberAsText(value);
		if (typeof given !== 'string') return refuseName(value, values);
		if (values.includes(given)) return given;
		const [meant, other] = values.filter((name) => plain(given) && plain(name) === plain(given));
		return meant !== undefined && other === undefined ? meant : refuseName(value, values);
	},
	read: (text, { values }) => (values.includes(text) ? text : text.trim()),
} satisfies Kind<EnumerationField>;

/** Other words for the two values, in English and Dutch, in lower case. */
const TRUE_WORDS = 'true 1 yes y on ja j waar aan'.split(' ');
const FALSE_WORDS = 'false 0 no n off nee onwaar uit'.split(' ');

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
		const meant = TRUE_WORDS.includes(word) ? 'true' : FALSE_WORDS.includes(word) && 'false';
		throw invalidValue(value, `is neither true nor false${meant ? `. Write ${meant}` : '.'}`);
	},
	read(text) {
		const name = text.trim();
		if (name === 'true' || name === '1') return true;
		return name === 'false' || name === '0' ? false : undefined;
	},
} satisfies Kind;

function readBase64(text: string): string | undefined {
	const digits = text.replace(/[\t\n\r ]+/g, '');
	// Bytes are written in one way: any other letter, length or last bit differs.
	return Buffer.from(digits, 'base64').toString('base64') === digits ? digits : undefined;
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

const CODES = ISO_3166.trim().split(/\s+/);

const namesIn = (language: string) => new Intl.DisplayNames([language], { type: 'region' });

/** Returns the countries with their English names, in the order of these. */
export function countries(): ReadonlyArray<{ readonly code: string; readonly name: string }> {
	const english = namesIn('en');
	return CODES.map((pair) => pair.slice(0, 2))
		.map((code) => ({ code, name: english.of(code) ?? code }))
		.sort((a, b) => a.name.localeCompare(b.name));
}

/** Returns the codes by other names of their countries: of three letters, in English and in Dutch. */
const codesByName = onceFor((pairs: typeof CODES): ReadonlyMap<string, string> => {
	const languages = [namesIn('en'), namesIn('nl')];
	const entries = pairs.flatMap((pair) => {
		const code = pair.slice(0, 2);
		const names = [code, pair.slice(2), ...languages.map((names) => names.of(code) ?? code)];
		return names.map((name) => [plain(name), code] as const);
	});
	return new Map(entries);
});

/** Two upper-case letters, whether or not a country has them: `"NL"`, `"nl"`, `"NLD"`, `"Nederland"` → `NL`. */
export const country = {
	expected: 'a country code',
	example: 'NL',
	write(value): string {
		const text = trimmed(value);
		if (typeof text === 'string' && /^[A-Z]{2}$/.test(text)) return text;
		if (isEmpty(value)) {
			throw invalidInput('is empty. Write two letters, such as NL', 'VALUE_EMPTY');
		}
		const meant = typeof text === 'string' ? codesByName(CODES).get(plain(text)) : undefined;
		if (meant !== undefined) return meant;
		throw notOfKind(value, 'a country or its code of two letters', ['one such as NL']);
	},
	read: (text) => text,
} satisfies Kind;

/** Base64 of a file, from its beginning on: each word of a text is tried once. */
const FILE = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{1000}[A-Za-z0-9+/]*={0,2}/g;

/** Returns a text with the size of each file in place of its base64. */
export function withoutFiles(text: string): string {
	return text.replace(FILE, (file) => `(base64 of ${Buffer.byteLength(file, 'base64')} bytes)`);
}
