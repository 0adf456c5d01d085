/** What values that were read keep in memory. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { costCenterGet } from '../../../nodes/shared/contract/operations.ts';
import { EMPLOYEE_NS, readResult, resultOf } from '../../support/soap.mts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Far more than whatever else comes and goes meanwhile. */
const SIZE = 16 * 2 ** 20;

/** A text, a CDATA section, a reference, a decimal that no number holds, and an unknown element. */
const FIELDS =
	'<CostCenter><Description>Distribution centre north</Description>' +
	'<Code><![CDATA[Research and development]]></Code></CostCenter>' +
	'<Kostensoort><Description>Research &amp; development</Description></Kostensoort>' +
	'<Percentage>12.345678901234567890123</Percentage>' +
	'<AnUnknownElement><OfALongName>a text that nobody has told us of</OfALongName></AnUnknownElement>';

function heap(): number {
	collectGarbage();
	return process.memoryUsage().heapUsed;
}

/** Rows of an answer of that size, which is forgotten. */
function rows(): unknown {
	const comment = `<!--${'-x'.repeat(SIZE / 2)}-->`;
	const row = `<EmployeeCostCenter>${FIELDS}</EmployeeCostCenter>`;
	const { body } = resultOf('CostCenter_Get', comment + row);
	const answer = readResult(costCenterGet, EMPLOYEE_NS, String(body));
	return answer.kind === 'result' ? answer.result : answer.fault;
}

it('values keep nothing of the answer that they stood in', () => {
	const before = heap();
	const read = rows();
	expect(heap() - before).toBeLessThan(SIZE / 4);
	expect(read).toHaveLength(1);
});
