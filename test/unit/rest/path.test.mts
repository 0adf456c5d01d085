import fc from 'fast-check';
import { checkedPath, filledPath } from '../../../nodes/shared/rest/path.ts';
import { InputError } from '../../../nodes/shared/values/InputError.ts';
import { runs } from '../../support/runs.mts';

/** The path of a list, with the same value for all its parameters. */
const pathOf = (path: unknown, value: string): string =>
	filledPath(checkedPath(path), (name) => [value, [name]]);

/** The path of a request to a path that a builder gives, after n8n's client has normalized it. */
function requested(path: string, value = '7'): string {
	const { origin, pathname, search, hash } = new URL(
		`https://rest.example/base${pathOf(path, value)}`,
	);
	expect([origin, search, hash]).toEqual(['https://rest.example', '', '']);
	return pathname;
}

describe("a builder's path", () => {
	it.each([
		['/api/companies', '/base/api/companies'],
		[' /api/companies ', '/base/api/companies'],
		['/api/companies/{companyId}/departments', '/base/api/companies/7/departments'],
		['/{a}/{b-c.d_e}', '/base/7/7'],
		['/api/companies/v{version}/x', '/base/api/companies/v7/x'],
		['/api/companies(100)/x', '/base/api/companies(100)/x'],
		['/api/a b/é/x:y@z,1;v=2&w', '/base/api/a%20b/%C3%A9/x:y@z,1;v=2&w'],
		['/api/a..b/.well-known/..x/undefined1', '/base/api/a..b/.well-known/..x/undefined1'],
	])('%j is %j', (path, expected) => {
		expect(requested(path)).toBe(expected);
	});

	it.each([
		[/ is empty/, ['', ' ', null, undefined]],
		[/is not a path/, [{}, [], '/a\u0000b', '/a\r\nHost: evil', '/\ud83e']],
		[
			/does not start with \//,
			['api', 'https://evil.example/x', 'evil.example/x', '\\\\evil.example\\x', '?x', '@evil/x'],
		],
		[/has \? or #/, ['/a?b=1', '/a#b', '/a？b', '/{a}?b']],
		[/has %/, ['/a/%2e%2e/b', '/a%2Fb', '/a%5C..%5Cb', '/%252e%252e/x', '/a％2e', '/100%']],
		[/has a brace/, ['/{}', '/{a', '/a}', '/{ a }', '/{{ $json.id }}', '/{a b}', '/{{a}}']],
		[/has a backslash/, ['/a\\..\\b', '/\\evil.example', '/a\\', '/＼evil']],
		[
			/has an empty part/,
			['//evil.example/x', '/a//b', '/a/', '/', '/a/ /b', '/／evil.example', '/a/undefined/b'],
		],
		[/has an empty part/, ['/null', '/a/NaN', '/a/[object Object]/b', '/a/ undefined ']],
		[
			/has a part of dots only/,
			['/..', '/a/../b', '/a/.', '/./a', '/a/.../b', '/a/..;/b', '/a/ .. /b', '/a/．．/b', '/‥/x'],
		],
	] as const)('is refused as %s', (reason, paths) => {
		for (const path of paths) {
			expect(() => pathOf(path, '7')).toThrow(InputError);
			expect(() => pathOf(path, '7')).toThrow(reason);
		}
	});

	it('of any kind is refused, or stays below the address', () => {
		const piece = fc.oneof(
			fc.constantFrom(
				...['/', '//', '.', '..', '\\', '%2e', '%2F', '%5c', '?', '#', ':', '@', ';', '&'],
				...['{a}', '{', '}', ' ', '\t', '\u3002', '\uff0e', '\uff0f', '\u2025', 'x.example'],
			),
			fc.string({ maxLength: 4, unit: 'binary' }),
		);
		const texts = fc.array(piece, { maxLength: 8 }).map((all) => all.join(''));
		let accepted = 0;
		const check = (text: string, value: string) => {
			let path = '';
			try {
				path = requested(text.startsWith('/') ? text : `/${text}`, value);
			} catch (error) {
				if (error instanceof InputError) return;
				throw error;
			}
			accepted += 1;
			expect(path).toMatch(/^\/base\/[^/]/);
			const parts = path
				.split('/')
				.map((part) => decodeURIComponent(part).normalize('NFKC').trim());
			expect(parts.filter((part) => /^\.+$/.test(part))).toEqual([]);
		};
		fc.assert(fc.property(texts, texts, check), runs(20));
		expect(accepted).toBeGreaterThan(20);
	});
});
