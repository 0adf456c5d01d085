import { setImmediate as turn } from 'node:timers/promises';
import { Redactor } from '../../../nodes/shared/run/redact.ts';

const clean = (text: string, secrets: readonly string[] = [], max = 100_000): string =>
	new Redactor(secrets).clean(text, max);

const token = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbm5hIn0.c2lnbmF0dXJl';
const key = '5f0c2c0b7a1e4d5c9b8a7f6e5d4c3b2a';

it.each([
	['a token', `The token ${token} is expired.`, 'The token *** is expired.'],
	['a token without signature', 'eyJhbGciOiJ9.eyJzdWIi. was sent', '*** was sent'],
	['a token after a dash', `x-${token}`, 'x-***'],
	['a token after two starts of one', `eyJ-eyJ-${token}`, '***'],
	['a short token, whose second part shows it', '<eyJa.eyJa.a.<', '<***.<'],
	['a token after a word', `the token_${token} is expired`, 'the token_*** is expired'],
	['two tokens', `${token},${token}`, '***,***'],
	['a token that is cut off', `Got ${token.slice(0, 35)}…`, 'Got ***…'],
	['a text after Bearer', 'Bearer abcdefgh12345678 sent', 'Bearer *** sent'],
	['a text after Basic and spaces', 'Basic  dXNlcjpwYXNzd29yZA==', 'Basic  ***'],
])('%s is masked, also if it is not known', (_, text, expected) => {
	expect(clean(text)).toBe(expected);
});

it.each([
	'System.Web.Services',
	'eyJ',
	'a.b.c',
	'the bearer of this',
	'keyJournalOfYear.x.eyJ',
	'Eyjafjallajökull',
])('%p is not masked', (text) => {
	expect(clean(text)).toBe(text);
});

describe('a secret in one of the five spellings', () => {
	const url = encodeURIComponent;
	const base64 = (text: string): string => Buffer.from(text).toString('base64');
	const xml = (text: string): string =>
		text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
	const net = (text: string): string =>
		text.replace(
			/[^\w ]/g,
			(one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`,
		);
	it.each<[string, (secret: string) => string]>([
		['as it is', (secret) => secret],
		['in another case', (secret) => secret.toUpperCase()],
		['URL-encoded', url],
		['URL-encoded by .NET', (secret) => url(secret).replace(/%\w\w/g, (one) => one.toLowerCase())],
		['URL-encoded, beside another parameter', (secret) => `header=Bearer%20${url(secret)}%20`],
		['in a form', (secret) => url(secret).replaceAll('%20', '+')],
		['beside malformed URL encoding', (secret) => `%FF&d=${url(secret)}`],
		['escaped for JSON', (secret) => JSON.stringify(secret)],
		['escaped for JSON, in lines', (secret) => JSON.stringify(`\n${secret}\n`)],
		['escaped for JSON, with slashes', (secret) => JSON.stringify(secret).replaceAll('/', '\\/')],
		[
			'escaped for JSON by .NET',
			(secret) =>
				net(JSON.stringify(secret).slice(1, -1))
					.replaceAll('\\u005C\\u0022', '\\u0022')
					.replaceAll('\\u005C\\u005C', '\\\\'),
		],
		['escaped for XML', (secret) => `<a>${xml(secret)}</a>`],
		[
			'escaped for XML, in an attribute',
			(secret) => `"${xml(secret).replaceAll('"', '&quot;').replaceAll("'", '&apos;')}"`,
		],
		[
			'escaped for HTML',
			(secret) => xml(secret).replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
		],
		[
			'escaped for XML by code',
			(secret) => secret.replace(/\W/gu, (one) => `&#x${one.codePointAt(0)?.toString(16)};`),
		],
		['in base64', base64],
		['in base64, after one letter', (secret) => base64(`a${secret} end`)],
		['in base64, after two letters', (secret) => base64(`ab${secret} end`)],
		['in base64, in a URL', (secret) => `v=${url(base64(`key ${secret}`))}%3D`],
	])('is masked %s', (_, write) => {
		const secrets = [
			'demo',
			key,
			token,
			'R&D <zuid>',
			'één-bv',
			'😀-bv',
			'Kp+7/x=9QzR2mN4v',
			`5f0c\\2c0b7a1e"4d5c9'b8`,
			'100%+',
		];
		const redactor = new Redactor(secrets);
		const shown = secrets.filter((secret) => {
			const text = redactor.clean(`Got ${write(secret)} here`, 10_000);
			return !/^Got .*\*\*\*.* here$/s.test(text) || text.includes(write(secret));
		});
		expect(shown).toEqual([]);
	});
});

it('the client secret of a Basic header is masked without the word Basic', () => {
	const secret = encodeURIComponent('a+b/c d%=:&');
	const sent = Buffer.from(`client:${secret}`).toString('base64');
	expect(clean(`Got ${sent} here`, [secret])).toMatch(/^Got \w{1,12}\*\*\*\w?=* here$/);
});

it.each([
	'The employee 1001 of demonstration B.V. does not exist.',
	'Cost center R%26D has 100% of the salary, see /api/companies/100/hourcodes',
	'Voorbeeld: SalarisAdministratieMedewerkers/Loonheffingskorting+2026',
])('secrets are not found in other words: %s', (text) => {
	expect(clean(text, ['demo', key])).toBe(text);
});

it('a secret is masked everywhere', () => {
	expect(clean('demo, demo', ['demo'])).toBe('***, ***');
});

it('a short secret is masked as a whole word, a long one also within words', () => {
	expect(clean('demonstration demo demo1 xdemo', ['demo'])).toBe('demonstration *** demo1 xdemo');
	expect(clean('x0123456789abcdex', ['0123456789abcde'])).toBe('x0123456789abcdex');
	expect(clean('x0123456789abcdefx', ['0123456789abcdef'])).toBe('x***x');
});

it.each(['a%20demo%20b', 'a\\ndemo\\nb', 'a\\u0020demo\\u0020b', 'a&amp;demo&amp;b'])(
	'a word begins and ends with an escaped character: %s',
	(text) => {
		expect(clean(text, ['demo'])).toBe(text.replace('demo', '***'));
	},
);

it('a secret is not a pattern, and an empty one masks nothing', () => {
	expect(clean('a.b axb ab', ['a.b'])).toBe('*** axb ab');
	expect(clean('a -- b', [''])).toBe('a -- b');
});

it('known and unknown secrets are masked in their order, and as one beside each other', () => {
	expect(clean(`${token} and demo`, ['demo'])).toBe('*** and ***');
	expect(clean(`${key}${key}`, [key])).toBe('***');
});

it('a secret in base64 is masked as a whole', () => {
	const secret = '0123456789abcdef01';
	const [alone, within] = ['', '???'].map((around) =>
		Buffer.from(around + secret + around).toString('base64'),
	);
	expect(clean(`Got ${alone} here`, [secret])).toBe('Got *** here');
	expect(clean(`Got ${within} here`, [secret])).toBe('Got Pz8/***Pz8/ here');
});

it('a secret of three letters is not masked in base64', () => {
	const encoded = Buffer.from('? abc ?').toString('base64');
	expect(clean(encoded, ['abc'])).toBe(encoded);
	expect(clean(Buffer.from('? abcd ?').toString('base64'), ['abcd'])).toContain('***');
});

it('of secrets that begin alike the longest is masked, and as one where they overlap', () => {
	const secrets = ['acme', 'acme-prod-0f9e11', 'prod-0f9e11-0123456789'];
	expect(clean('Got acme-prod-0f9e11, acme', secrets)).toBe('Got ***, ***');
	for (const words of [
		['acme', 'acme-prod'],
		['acme-prod', 'acme'],
	]) {
		expect(clean('Got acme-prod, acme', words)).toBe('Got ***, ***');
	}
	expect(clean('Got acme-prod-0f9e11-0123456789.', secrets)).toBe('Got ***.');
});

it('control and bidirectional characters are replaced, line breaks made uniform', () => {
	expect(clean('a\u0007b\u202ec\td\ne\r\nf\rg')).toBe('a\ufffdb\ufffdc\td\ne\nf\ng');
});

describe('a text above the limit', () => {
	it('is cut, and ends with an ellipsis', () => {
		expect(clean('x'.repeat(50), [], 20)).toBe(`${'x'.repeat(20)}…`);
		expect(clean('x'.repeat(20), [], 20)).toBe('x'.repeat(20));
	});

	it('does not show that a secret follows', () => {
		expect(clean(`0123456789${key}`, [key], 10)).toBe('0123456789…');
		expect(clean(`0123456789${key}`, [key], 9)).toBe('012345678…');
		expect(clean(`0123456789${key}`, [key], 11)).toBe('0123456789***');
	});

	it('does not end with a part of a secret', () => {
		const text = `${'word '.repeat(18)}${key} ${'word '.repeat(10_000)}`;
		const cut = Array.from({ length: 40 }, (_, i) => clean(text, [key], 70 + i));
		expect(cut.filter((one) => one.includes(key.slice(0, 4)))).toEqual([]);
	});

	it.each(['', ' '])('shows nothing of a secret if it holds nothing else, joined by %p', (by) => {
		expect(clean([...Array(5000).fill(key)].join(by), [key], 1000)).toMatch(/^[* ]*…$/);
	});
});

it.each([
	['two blanks', 'R&D  zuid'],
	['a no-break space', 'R&D\u00a0zuid'],
	['a line break', 'R&D\r\n  zuid'],
	['two blanks in a form', 'R%26D++zuid'],
	['a no-break space, escaped', 'R&amp;D&#160;zuid'],
])('a blank in a secret may be %s', (_, text) => {
	expect(clean(`Got ${text} here`, ['R&D zuid'])).toBe('Got *** here');
});

it('several blanks in a secret may be one', () => {
	expect(clean('Got R&D zuid here', [' R&D \u00a0zuid '])).toBe('Got *** here');
});

it('a secret of one letter is a word, also beside a longer one that begins with it', () => {
	expect(clean('a-b, a-c, ab a', ['a-b', 'a'])).toBe('***, ***-c, ab ***');
});

it('a long secret is masked as a whole, and in a text that holds its beginning', () => {
	const long = Array.from({ length: 100 }, (_, i) => `part${i}`).join('.');
	expect(clean(`<${long}>`, [long])).toBe('<***>');
	expect(clean(`<${encodeURIComponent(JSON.stringify(long))}>`, [long])).toBe('<%22***%22>');
	expect(clean(`<${long.slice(0, 300)}>`, [long])).toMatch(/^<\*\*\*.{0,44}>$/);
});

it('a reference that stands for nothing is no secret, and holds none', () => {
	expect(clean('a&xacmey;', ['acme'])).toBe('a&xacmey;');
	expect(clean('&bc;', ['bc'])).toBe('&***;');
});

it.each([
	['\\'.repeat(40), 'backslashes'],
	['&amp;'.repeat(8), 'references'],
	['%25+ '.repeat(8), 'escapes'],
	['ab'.repeat(60), 'two letters'],
])('a text full of a secret that is not in it is searched once (%#: $1)', (secret) => {
	expect(clean(`${secret.repeat(20)}!`, [`${secret}?`])).toContain('!');
});

it('masking takes a time that does not grow with the number of secrets', async () => {
	const redactor = new Redactor(Array.from({ length: 10_000 }, (_, i) => `domain-${1000 + i}`));
	const line = '   at Payroll.Employee+Service.Get(Int32 id) in C:\\src\\Employee.cs:line 7\n';
	for (let i = 0; i < 40; i += 1) {
		const text = `The domain-${1000 + i}\n${line.repeat(200)}`;
		expect(redactor.clean(text, 4000)).toMatch(/^The \*\*\*\n/);
		await turn();
	}
}, 10_000);

it('it searches no more of a text than it may show, and what may belong to a secret', () => {
	const text = `${'x'.repeat(1000)}${'y'.repeat(1_000_000)}`;
	const searched: number[] = [];
	const own = Object.assign(Object(text), {
		slice: (start: number, end: number) => {
			searched.push(end - start);
			return text.slice(start, end);
		},
	}) as string;
	new Redactor([key.repeat(1000)]).clean(own, 1000);
	expect(searched).toEqual([1000 + 12 * 128]);
});
