/** What people call things, in Dutch and English: in the search for an operation, and in the columns of a sheet. */
import { groupedBy } from '../values/values';

/** Words for the same thing, each as the beginning of a word, so that it stands for its plural and its compounds, too. */
const SYNONYMS = [
	'werknemer, medewerker, personeel, employee, staff',
	'functie, function, job',
	'afdeling, department',
	'bedrij, werkgever, onderneming, compan, employer',
	'plaats, plaatsnaam, woonplaats, city',
	'straat, straatnaam, street, street name',
	'huis, house',
	'huisnummertoevoeging, huisnummertoev, toevoeging, toev, house number addition',
	'soort, soort adres, adressoort, adrestype, type, address type',
	'postcode, postal, zip',
	'land, country, country iso',
	'percentage, perc, pct, aandeel, verdeling, share, procent, percent',
	'standaard, default',
	'kind, child',
	'looncomponent, salariscomponent, wage component, salary component',
	'urencomponent, uurcomponent, hour component',
	'uren, uur, hour',
	'urencode, uurcode, hour code',
	'salaris, salary',
	'loon, wage',
	'kostenplaats, kpl, cost center, cost centre',
	'kostensoort, cost type',
	'periode, tijdvak, period',
	'jaar, loonjaar, boekjaar, year',
].map((line) => line.split(', '));

/**
 * Words about the same subject, by which an operation is found. A column of one is no field of another: a name is
 * no e-mail address, an address no "Address ID", and a "Kostendrager" no cost center.
 */
const SUBJECTS = [
	'persoonsgegeven, persoonlijk, personalia, geboorte, naam, telefoon, email, personal, person',
	'gegevens, info, data',
	'verzuim, ziek, absence, sick, illness',
	'herstel, beter, recover',
	'verlof, vakantie, leave, vacation, holiday',
	'dienstverband, employment',
	'contract, arbeidsovereenkomst',
	'debiteur, debtor, klant, customer',
	'adres, address, woonplaats',
	'bank, rekening, iban, account',
	'partner, echtgeno, spouse',
	'auto, lease, car',
	'loonstro, salarisstro, loonspecificatie, payslip, pay slip, salary document',
	'jaaropgave, jaaropgaaf, annual statement, year statement',
	'document, bestand, bijlage, file, attachment',
	'rapport, overzicht, report',
	'verloning, loonrun, run, payroll run',
	'salaris, loon, uurloon, wage, salary, pay',
	'uren, gewerkt, hour, time, timesheet',
	'kostendrager, cost center, cost centre',
	'rooster, werkrooster, werktijd, schedule',
	'belasting, loonbelasting, loonheffing, loonaangifte, fiscaal, tax',
	'journaal, journal',
	'pensioen, pension',
	'verzekering, insurance',
	'reiskosten, onkosten, declaratie, travel, expense, allowance',
	'wijzig, aanpas, update, change',
	'toevoeg, nieuw, add, insert, create',
	'verwijder, delete, remove',
	'stop, beeindig, uit dienst, end, terminat',
].map((line) => line.split(', '));

const MEANINGS = [...SYNONYMS, ...SUBJECTS];

/** Beginnings of words with at least so many letters stand for a meaning. */
const MIN_BEGINNING = 3;

/** From "PersonalInfo_GetCurrent" to "personal info get current"; accents are left out. */
function plain(text: string): string {
	return text
		.normalize('NFD')
		.replace(/\p{M}/gu, '')
		.replace(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, ' ')
		.toLowerCase()
		.replace(/[^\p{L}\d]+/gu, ' ')
		.trim();
}

/**
 * Returns whether a text has all words of a search, in any order and without regard to case, accents and `_`: each as
 * a part of a word, or with the beginning of a word that means the same.
 */
export function searchFor(search: string): (text: string) => boolean {
	const typed = plain(search.toLowerCase()).split(' ');
	const wanted = typed.map((word) => {
		// "additional" is no addition.
		const begun = MEANINGS.flat().filter(
			(start) =>
				word.startsWith(start) &&
				(start.length > MIN_BEGINNING || /^s?$/.test(word.slice(start.length))),
		);
		const [longest] = begun.sort((a, b) => b.length - a.length);
		const isMeant = (start: string): boolean =>
			start === longest || (word.length >= MIN_BEGINNING && start.startsWith(word));
		const synonyms = MEANINGS.filter((same) => same.some(isMeant)).flat();
		// An English plural finds its singular, too.
		return { part: word.replace(/(?<=.{3})s$/, ''), beginnings: synonyms.map((own) => ` ${own}`) };
	});
	return (text) => {
		const texts = [` ${plain(text)}`, plain(text.toLowerCase())] as const;
		return wanted.every(
			({ part, beginnings }) =>
				texts.some((own) => own.includes(part)) ||
				beginnings.some((beginning) => texts[0].includes(beginning)),
		);
	};
}

/** The end of a name that says what identifies a thing. */
const ENDING = /(id)$|s?(?:code|nummer|number|nr|no)$/;

/** The lines of the synonyms, with their indexes, by each of their words as a name has it. */
const LINES = groupedBy(SYNONYMS.entries(), ([, words]) =>
	words.map((word) => word.replaceAll(' ', '')),
);

/**
 * Returns what the name of a field or of a column means, as lines of the table: "Kostenplaatsen" and "Cost Center Code"
 * have one in common. Only the whole name counts: "Naam medewerker" is no employee. `kind` is what its ending says.
 */
export function meaningOf(name: string): { lines: readonly number[]; kind: 'code' | 'id' | '' } {
	const joined = plain(name.replace(/^\s*%\s*$/, 'percentage')).replaceAll(' ', '');
	const [ending = '', id] = ENDING.exec(joined) ?? [];
	const bare = joined.slice(0, joined.length - ending.length);
	// "Kostenplaatsnummer" may be made of "kostenplaats", and "medewerkersnummer" of "medewerker".
	// "Postcode" is a word of the table as a whole.
	const stems = ending.startsWith('s') ? [`${bare}s`, bare] : [bare, joined];
	const found = stems.flatMap((stem) =>
		// A plural, or the second column of a name: "Kostenplaats 2".
		[/$/, /[fnsy]$/, /e[ns]$/, /\d+$/].flatMap((end) => LINES.get(stem.replace(end, '')) ?? []),
	);
	const lines = [...new Set(found.map(([line]) => line))];
	return { lines, kind: id ? 'id' : ending === '' ? '' : 'code' };
}
