import { exampleWorkflow } from '../../../dev/package/workflow-file.mts';
import { useBench } from './bench.mts';

const example = exampleWorkflow('address-agent.json');

const bench = useBench();

it('answers from the addresses of the employee in question, and reads nothing else', async () => {
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
