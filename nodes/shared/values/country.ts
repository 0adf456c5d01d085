/** Countries by the codes of ISO 3166-1: two letters in a request, as their field's name says (docs/dev/interface.md, section 2). */
import { invalidInput } from '../errors/InputError';
import { isEmpty } from '../errors/words';
import { notOfKind, trimmed, type Kind } from './kind';
import { string } from './text';

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

/** A name without regard to case, accents and punctuation. */
const plain = (name: string): string =>
	name
		.normalize('NFD')
		.replace(/[^\p{L}]/gu, '')
		.toLowerCase();

let known: ReadonlyMap<string, string> | undefined;

/** Returns the codes by other names of their countries: of three letters, in English and in Dutch. */
function codesByName(): ReadonlyMap<string, string> {
	if (known !== undefined) return known;
	const languages = ['en', 'nl'].map((one) => new Intl.DisplayNames([one], { type: 'region' }));
	known = new Map(
		[...codes].flatMap(([code, long]) =>
			[code, long, ...languages.map((language) => language.of(code) ?? code)].map(
				(name) => [plain(name), code] as const,
			),
		),
	);
	return known;
}

/**
 * Two upper-case letters, whether or not a country has them: the service decides.
 *
 * - written: `"NL"` → `NL`; not `"nl"`, `"NLD"`, `"Nederland"`, for which NL is offered
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
		const meant = typeof text === 'string' ? codesByName().get(plain(text)) : undefined;
		throw notOfKind(value, 'a country code of two upper-case letters', [meant ?? 'one such as NL']);
	},
	read: (text) => text,
	// The service may send what a request must not have.
	canonical: (value): string => string.write(value),
} satisfies Kind;
