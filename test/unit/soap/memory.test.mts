/** What a value that was read keeps in memory. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { costCenterGet } from '../../../nodes/shared/contract/operations.ts';
import { readEnvelope } from '../../../nodes/shared/soap/response.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const NS = 'http://payroll.example/soap/v3/EmployeeService';
const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/';
/** Far more than whatever else comes and goes meanwhile. */
const SIZE = 16 * 2 ** 20;

function heap(): number {
	collectGarbage();
	return process.memoryUsage().heapUsed;
}

/** An answer of that size, read and forgotten but for its rows. */
function rowsOf(fields: string): unknown {
	const text =
		`<s:Envelope xmlns:s="${SOAP}"><!--${'-x'.repeat(SIZE / 2)}--><s:Body>` +
		`<CostCenter_GetResponse xmlns="${NS}"><CostCenter_GetResult><EmployeeCostCenter>${fields}` +
		'</EmployeeCostCenter></CostCenter_GetResult></CostCenter_GetResponse></s:Body></s:Envelope>';
	const answer = readEnvelope(costCenterGet, NS, text);
	return answer.kind === 'result' ? answer.result : answer.fault;
}

it.each([
	['a text', '<CostCenter><Description>Distribution centre north</Description></CostCenter>'],
	['a reference', '<CostCenter><Code>Research &amp; development</Code></CostCenter>'],
	['a CDATA section', '<CostCenter><Code><![CDATA[Research and development]]></Code></CostCenter>'],
	['a decimal', '<Percentage>12.345678901234567890123</Percentage>'],
	[
		'an unknown element',
		'<AnUnknownElement><OfALongName>a text that nobody has told us of</OfALongName></AnUnknownElement>',
	],
])('%s keeps nothing of the answer it stood in', (_, fields) => {
	const before = heap();
	const rows = rowsOf(fields);
	expect(heap() - before).toBeLessThan(SIZE / 4);
	expect(rows).toHaveLength(1);
});
