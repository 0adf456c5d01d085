/** A Domain is masked in errors, however the service or a reader changes the whitespace in it. */
import { getAddresses, getHourCodes } from '../../../dev/package/calls.mts';
import { replying } from '../../support/scripted.mts';
import { useCredential, useSandbox, useScriptedServer } from '../../support/setUp.mts';
import { faultAnswer, soapEnvelope, XML } from '../soap.mts';

const { sandbox, payroll } = useSandbox();
const server = useScriptedServer();

const described = {
	...{ resource: 'custom', operation: 'call' },
	operationName: { __rl: true, mode: 'list', value: 'Echo' },
	operationParameters: { mappingMode: 'autoMapInputData', value: null },
};

describe.each(['Groep  Noord', 'Groep\u00a0Noord', 'Groep \u2003 Noord'])('%j', (domain) => {
	const urls = () => ({ soapUrl: server.url, restUrl: server.url, domain });
	const credential = useCredential(payroll, sandbox, urls);

	describe.each([domain, 'Groep Noord', 'Groep\n\t Noord', 'Groep&#160;&#10;Noord'])(
		'is masked where the service says %j',
		(said) => {
			const text = `Domain "${said}" is wrong`;
			const detail = `<detail><Field>Name</Field>\n<Reason> ${text}</Reason></detail></s:Fault>`;
			const fault = (words: string) => faultAnswer(words).replace('</s:Fault>', detail);
			it.each([
				['the detail of a fault', 'employee', getAddresses, XML, 500, fault('No')],
				['the text of a fault', 'employee', getAddresses, XML, 500, fault(text)],
				['a text in place of a result', 'employee', getAddresses, XML, 200, soapEnvelope(text)],
				['an answer to a REST call', 'hourCodes', getHourCodes, 'text/plain', 400, text],
				['an answer in place of a description', 'employee', described, 'text/plain', 403, text],
			] as const)('in %s', async (_, type, parameters, contentType, status, body) => {
				server.play(replying(status, contentType, body));
				const node = credential[type](parameters);
				const { error } = await payroll.run([{ id: 1 }], node);
				const shown = JSON.stringify([error?.message, error?.description, error?.context]);
				expect(shown).toMatch(/\*\*\*/);
				expect(shown).not.toMatch(/Groep|Noord/);
			});
		},
	);
});
