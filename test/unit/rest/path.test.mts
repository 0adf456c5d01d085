import { hourCodesGet } from '../../../nodes/shared/contract/operations.ts';
import { InputError } from '../../../nodes/shared/errors/InputError.ts';
import { fillPath } from '../../../nodes/shared/rest/path.ts';

describe("a path's parameter", () => {
	it.each([
		['100', '100'],
		[' 100 ', '100'],
		[100, '100'],
		['a/b?c#d', 'a%2Fb%3Fc%23d'],
		['100%2f..', '100%252f..'],
		['%2e%2e', '%252e%252e'],
		['{companyId}', '%7BcompanyId%7D'],
		["$&$1$'", "%24%26%241%24'"],
		['user@evil.example:80', 'user%40evil.example%3A80'],
		['a\\b', 'a%5Cb'],
		['é', '%C3%A9'],
		['a..b', 'a..b'],
	])('%j stays one segment', (companyId, segment) => {
		const path = fillPath(hourCodesGet, { companyId });
		expect(path).toBe(`/api/companies/${segment}/hourcodes`);
		expect(new URL(`http://x.example${path}`).pathname).toBe(path);
	});

	const noText = ['', ' ', undefined, null, {}, [], true];
	const traversal = ['.', '..', '...', '../x', '1/../2', '1/..', '..\\x', '1\\.\\2', '1/ .. /2'];
	const malformed = ['\ud83e', '1\u00002', '1\r\nX-Evil: 1', '1\t2', '1\u009b2', '1\u007f'];
	it.each([...noText, ...traversal, ...malformed])('%j is refused', (companyId) => {
		const fill = () => fillPath(hourCodesGet, { companyId });
		expect(fill).toThrow(InputError);
		expect(fill).toThrow(/^companyId(?: is empty|: .+ is not an identifier)\.$/);
	});
});
