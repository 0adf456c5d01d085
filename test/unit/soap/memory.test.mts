/** What values that were read keep in memory. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { costCenterGet } from '../../../nodes/shared/contract/operations.ts';
import { XSI } from '../../../nodes/shared/soap/xml.ts';
import type { Canned } from '../../support/exchange.mts';
import { atNight } from '../../support/runs.mts';
import { EMPLOYEE_NS, readResult, resultOf, soapAnswer } from '../../support/soap.mts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Far more than whatever else comes and goes meanwhile. */
const SIZE = 16 * 2 ** 20;

/** A text, a CDATA section, a reference, a decimal that no number holds, and unknown elements. */
const FIELDS =
	'<CostCenter><Description>Distribution centre north</Description>' +
	'<Code><![CDATA[Research and development]]></Code></CostCenter>' +
	'<Kostensoort><Description>Research &amp; development</Description></Kostensoort>' +
	'<Percentage>12.345678901234567890123</Percentage>' +
	'<AnUnknownElement><OfALongName>a text that nobody has told us of</OfALongName></AnUnknownElement>' +
	'<Another xmlns:own="urn:of:the:service" own:type="its attribute" xsi:type="own:WithALongName"/>';

function heap(): number {
	// V8 keeps the text of the last match.
	/./.test('another');
	collectGarbage();
	return process.memoryUsage().heapUsed;
}

/** What is read of an answer, which is forgotten. */
function readOf({ body }: Canned): unknown {
	const answer = readResult(costCenterGet, EMPLOYEE_NS, String(body));
	return answer.kind === 'result' ? answer.result : answer.fault;
}

atNight.each([
	[
		'values keep nothing of the answer that they stood in',
		() =>
			resultOf(
				'CostCenter_Get',
				`<!--${'-x'.repeat(SIZE / 2)}--><EmployeeCostCenter xmlns:xsi="${XSI}">${FIELDS}</EmployeeCostCenter>`,
			),
		[expect.objectContaining({ Another: expect.anything() })],
	],
	[
		'a fault keeps no more of its text than is shown',
		() =>
			soapAnswer(
				`<e:Fault><faultcode>${'c'.repeat(SIZE / 4)}</faultcode><faultstring>${'A word. '.repeat(SIZE / 16)}</faultstring>` +
					`<detail>${'d'.repeat(SIZE / 4)}</detail></e:Fault>`,
			),
		expect.objectContaining({ details: expect.stringContaining('A word.') }),
	],
])('%s', (_, answer, expected) => {
	const before = heap();
	const read = readOf(answer());
	expect(heap() - before).toBeLessThan(SIZE / 8);
	expect(read).toEqual(expected);
});
