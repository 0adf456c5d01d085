/** The search in the list of operations: by what people call things, in Dutch and English. */

/**
 * Words that mean the same, each as the beginning of a word, so that it stands for its plural and its
 * compounds, too. They say nothing of the operations that a service has.
 */
const MEANINGS: readonly string[][] = [
	'werknemer, medewerker, personeel, employee, staff',
	'persoonsgegeven, persoonlijk, personalia, geboorte, naam, telefoon, email, personal, person',
	'gegevens, info, data',
	'verzuim, ziek, absence, sick, illness',
	'herstel, beter, recover',
	'verlof, vakantie, leave, vacation, holiday',
	'dienstverband, employment',
	'contract, arbeidsovereenkomst',
	'functie, function, job',
	'afdeling, department',
	'bedrij, werkgever, onderneming, compan, employer',
	'debiteur, debtor, klant, customer',
	'adres, address, woonplaats, city',
	'bank, rekening, iban, account',
	'kind, child',
	'partner, echtgeno, spouse',
	'auto, lease, car',
	'loonstro, salarisstro, loonspecificatie, payslip, pay slip, salary document',
	'jaaropgave, jaaropgaaf, annual statement, year statement',
	'document, bestand, bijlage, file, attachment',
	'rapport, overzicht, report',
	'verloning, loonrun, run, payroll run',
	'salaris, loon, uurloon, wage, salary, pay',
	'looncomponent, salariscomponent, wage component, salary component',
	'urencomponent, uurcomponent, hour component',
	'uren, uur, gewerkt, hour, time, timesheet',
	'urencode, uurcode, hour code',
	'kostenplaats, kostendrager, cost center, cost centre',
	'kostensoort, cost type',
	'rooster, werkrooster, werktijd, schedule',
	'belasting, loonbelasting, loonheffing, loonaangifte, fiscaal, tax',
	'journaal, journal',
	'pensioen, pension',
	'verzekering, insurance',
	'reiskosten, onkosten, declaratie, travel, expense, allowance',
	'periode, tijdvak, period',
	'wijzig, aanpas, update, change',
	'toevoeg, nieuw, add, insert, create',
	'verwijder, delete, remove',
	'stop, beeindig, uit dienst, end, terminat',
].map((line) => line.split(', '));

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

/** Returns the beginnings of words that mean the same as a word, or as what it is the beginning of. */
function synonymsOf(word: string): string[] {
	// "additional" is no addition.
	const begun = MEANINGS.flat().filter(
		(one) =>
			word.startsWith(one) && (one.length > MIN_BEGINNING || /^s?$/.test(word.slice(one.length))),
	);
	const longest = Math.max(...begun.map(({ length }) => length));
	const isMeant = (one: string): boolean =>
		(begun.includes(one) && one.length === longest) ||
		(word.length >= MIN_BEGINNING && one.startsWith(word));
	return MEANINGS.flatMap((same) => (same.some(isMeant) ? same : []));
}

/**
 * Returns whether a text has all words of a search: in any order, without regard to case, accents and
 * `_`, each as a part of a word, or with the beginning of a word that means the same.
 *
 * @param search what a builder types
 */
export function searchFor(search: string): (text: string) => boolean {
	const wanted = plain(search.toLowerCase())
		.split(' ')
		// An English plural finds its singular, too.
		.map((word) => ({ word: word.replace(/(?<=.{3})s$/, ''), synonyms: synonymsOf(word) }));
	return (text) => {
		const split = ` ${plain(text)}`;
		const joined = plain(text.toLowerCase());
		return wanted.every(
			({ word, synonyms }) =>
				split.includes(word) ||
				joined.includes(word) ||
				synonyms.some((one) => split.includes(` ${one}`)),
		);
	};
}
