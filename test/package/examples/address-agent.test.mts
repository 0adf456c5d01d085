import { exampleWorkflow } from '../../../dev/package/workflow-file.mts';
import { Bench } from './bench.mts';

const example = exampleWorkflow('address-agent.json');

let bench: Bench;

beforeAll(async () => (bench = await Bench.open()));
afterAll(async () => await bench.close());
beforeEach(async () => await bench.sandbox.reset());

it('answers from the addresses of the employee that it is asked for, and reads nothing else', async () => {
	const question = { chatInput: 'Where does employee 1003 live?', action: 'sendMessage' };
	const { error, json } = await bench.receive(example, 'Chat', question);
	expect(error).toBeUndefined();
	expect(await bench.sent()).toEqual([
		'<Address_GetListCurrent><EmployeeId>1003</EmployeeId></Address_GetListCurrent>',
	]);
	const [{ output = '' } = {}] = json('AI Agent');
	for (const street of ['Laan van Meerdervoort', 'Sint Jansstraat', 'Oude Gracht & Werf']) {
		expect(output).toContain(street);
	}
	expect(output).toContain('"EmployeeId":1003');
});
