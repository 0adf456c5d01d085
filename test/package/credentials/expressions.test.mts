/** Which expressions a credential may have: those with one value for all items of a run. */
import fc from 'fast-check';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { toConnection } from '../../../nodes/shared/credential/connection.ts';
import { getAddresses, getHourCodes } from '../../../dev/package/calls.mts';
import { chain, EngineCredentials, runWorkflow } from '../../../dev/engine/index.mts';
import { core } from '../../../dev/engine/n8n.mts';
import { inNode } from '../../../dev/package/node-context.mts';
import { allowBlock } from '../../support/eventLoop.mts';
import { runs } from '../../support/runs.mts';
import { useSandbox } from '../../support/setUp.mts';
import { sentTexts } from '../requests.mts';

const { sandbox, payroll, credential } = useSandbox();

const DOMAIN = 'demo-domain';
const variables = { domain: DOMAIN, half: 'demo', empty: '', number: 5 };

/** As in an n8n that has variables and a store of secrets. */
class WithVariables extends EngineCredentials {
	override async getDecrypted(
		...[additional, ...others]: Parameters<EngineCredentials['getDecrypted']>
	): Promise<ICredentialDataDecryptedObject> {
		const externalSecretsProxy = new core.ExternalSecretsProxy();
		externalSecretsProxy.setManager({
			hasProvider: (provider) => provider === 'vault',
			hasSecret: (_, name) => name === 'domain' || name === 'my domain',
			getSecret: () => DOMAIN,
			getProviderNames: () => ['vault'],
			getSecretNames: () => ['domain', 'my domain'],
		});
		return await super.getDecrypted({ ...additional, variables, externalSecretsProxy }, ...others);
	}
}

/** Validates a credential whose expressions are these, as its own field lists them. */
function readWith(expressions: unknown) {
	const url = 'https://payroll.example';
	const addresses = { identityUrl: url, restUrl: url, soapUrl: url, soapNamespace: url };
	const others = { soapVersion: '1.1', domain: DOMAIN, subscriptionKey: 'key' };
	return toConnection({
		...{ ...addresses, ...others, oauthTokenData: { access_token: 't' } },
		expressions: expressions as string,
	});
}

/** Reads an employee's addresses with some fields of the credential changed. */
async function run(changes: ICredentialDataDecryptedObject, isSoap = true) {
	const stored = await payroll.credentials.stored(credential.id);
	const id = await payroll.store({ ...stored, ...changes });
	const node = isSoap
		? payroll.node('payrollEmployee', id, getAddresses)
		: payroll.node('payrollHourCodes', id, getHourCodes);
	const credentials = new WithVariables(payroll.credentials.types, payroll.storage);
	const input = [{ id: 1001, dom: DOMAIN, field: 'dom' }];
	return await runWorkflow({ ...payroll.workflow(chain(input, node)), credentials });
}

describe('an expression is accepted', () => {
	it.each([
		'={{ $vars.domain }}',
		'={{ $vars["domain"] }}',
		"={{ $vars?.['domain'] }}",
		'={{ $secrets.vault.domain }}',
		'={{ $vars.half }}-domain',
		'=demo{{ "-" }}{{ \'domain\' }}',
		'=demo-domain',
		'={{ $vars.none || $vars.empty || "demo-domain" }}',
		'={{ $vars.none ?? $vars.half + "-" + "domain" }}',
		'={{ $vars.number === 5 && $vars.half !== "x" ? "demo-domain" : $secrets.vault.none }}',
		'={{\n\t$vars.domain\n}}',
	])('%s', async (domain) => {
		expect((await run({ domain })).error?.message).toMatch(/domain/i);
		expect(await sentTexts(sandbox, 'Domain')).toEqual([DOMAIN]);
	});

	it('in a field of another type, with a value of that type', async () => {
		const changes = { requestsPerSecond: '={{ $vars.number }}', readOnly: '={{ true }}' };
		expect((await run(changes)).error).toBeUndefined();
	});

	it('but Read Only is not lifted by one that gives nothing', async () => {
		const { error } = await run({ readOnly: '={{ $vars.none }}' });
		expect(error?.message).toBe("The credential's Read Only is not usable");
		expect(error?.description).toContain('expected true or false');
		expect(await sandbox.requests()).toEqual([]);
	});
});

const escaped = (text: string): string => `\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}`;

describe('an expression is refused', () => {
	it.each([
		// These have the value of the item.
		'={{ $json.dom }}',
		`={{ ${escaped('$')}json.dom }}`,
		'={{ $("Items").item.json.dom }}',
		'={{ $vars.none || `${$json.dom}` }}',
		'={{ (() => $json.dom)() }}',
		'={{ /* $vars.domain */ $json.dom }}',
		'={{ $vars[$json.field] || $json.dom }}',
		'={{ $if(true, $json.dom) }}',
		'={{ "demo" }}{{ $json.dom.slice(4) }}',
		// These have others.
		'={{ $now }}',
		'={{ $self["appSecret"] }}',
		'={{ $vars }}',
		'={{ $vars.domain.trim() }}',
		'={{ `${$vars.domain}` }}',
		'={{ "\\u0061" }}',
		'={{ $vars.domain; $vars.domain }}',
		'={{ $vars.domain',
	])('%s', async (domain) => {
		const { error } = await run({ domain });
		expect(error).toMatchObject({
			message: "The credential's Domain is not usable",
			description:
				"Open the credential and correct 'Domain': an expression may use $vars and $secrets alone. For a value that depends on the item, use the option 'Domain' of the node.",
		});
		expect(await sandbox.requests()).toEqual([]);
	});

	it.each([
		['Client ID', { appId: '={{ $json.id }}' }],
		['Client Secret', { appSecret: '={{ $json.id }}' }],
		['Subscription Key', { subscriptionKey: '={{ $json.id }}' }],
		['Identity Address', { identityUrl: '={{ $json.id }}' }],
		['REST Address', { restUrl: '={{ $json.id }}' }],
		['SOAP Address', { soapUrl: '={{ $json.id }}' }],
		['SOAP Namespace', { soapNamespace: '={{ $json.id }}' }],
		['SOAP Version', { soapVersion: '={{ $json.id }}' }],
		['Scopes', { scopes: ['company.info', '={{ $json.id }}'] }],
		['Read Only', { readOnly: '={{ $json.id > 1 }}' }],
		['Requests per Second', { requestsPerSecond: '={{ $json.id }}' }],
	])('in %s, over SOAP and REST', async (field, changes) => {
		for (const isSoap of [true, false]) {
			const { error } = await run(changes, isSoap);
			expect(error?.message).toBe(`The credential's ${field} is not usable`);
			expect(error?.description).toContain("'Domain' of the node");
		}
		expect(await sandbox.requests()).toEqual([]);
	});

	// Of most of these, n8n gives no value.
	it.each([
		'={{ $evaluateExpression("{{ $json.dom }}") }}',
		'={{ $env.DOMAIN }}',
		'={{ $vars.constructor }}',
		'={{ $vars.__proto__ }}',
		'={{ $vars["constructor"] }}',
		"={{ $vars?.['__proto__'] }}",
		'={{ $vars.domain["prototype"] }}',
		'={{ "{{ $json.dom }}" }}',
	])('before n8n says why: %s', async (domain) => {
		expect((await run({ domain })).error).toBeDefined();
		expect(await sandbox.requests()).toEqual([]);
		const refused = {
			failure: 'CREDENTIAL_FIELD_INVALID',
			facts: expect.objectContaining({ field: 'Domain' }) as object,
		};
		expect(() => readWith([['Domain', domain]])).toThrow(expect.objectContaining(refused));
	});

	it('without showing it', async () => {
		const { error, run: execution } = await run({ appSecret: '={{ "Geheim" + $json.dom }}' });
		expect(error?.message).toBe("The credential's Client Secret is not usable");
		expect(JSON.stringify(execution)).not.toContain('Geheim');
	});

	it('if n8n did not list it', () => {
		for (const unknown of [undefined, '={{ [] }}', null]) {
			expect(() => readWith(unknown)).toThrow(TypeError);
		}
	});

	it('also while a builder edits a node', async () => {
		const stored = await payroll.credentials.stored(credential.id);
		const id = await payroll.store({ ...stored, domain: '={{ $now.year }}' });
		const node = payroll.node('payrollEmployee', id, { resource: 'custom', operation: 'call' });
		const list = payroll.list(node, 'searchOperations');
		await expect(list).rejects.toThrow("The credential's Domain is not usable");
		expect(await sandbox.requests()).toEqual([]);
	});
});

it('what is accepted has the same value for all items, whatever it is made of', async () => {
	allowBlock(60, 'n8n evaluates many expressions, one after the other');
	const parts = [
		...['{{', '}}', '\\', '"', "'", '`', '$', '{', '}', '[', ']', '(', ')', '.', '?.', ' ', '\n'],
		...['$vars', '$json', '$secrets', '.dom', '["dom"]', '"dom"', "'x'", 'u0024', '$itemIndex'],
		...['+', '||', '&&', '??', '?', ':', '===', '//', '/*', '*/', ',', '=', '1', 'true', 'x'],
		...['{{ $json.dom }}', '{{ $vars.dom', '{{ "', '" }}', '|| $json.dom }}'],
	];
	const text = fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((all) => all.join(''));
	const seen = { accepted: 0, refused: 0 };
	const items = [{ dom: 'one' }, { dom: 'two' }];
	const check = async (context: Parameters<Parameters<typeof inNode>[2]>[0]) => {
		const valueFor = (expression: string, item: number): unknown => {
			try {
				return context.evaluateExpression(expression, item);
			} catch (error) {
				return String(error);
			}
		};
		fc.assert(
			fc.property(text, (expression) => {
				try {
					readWith([['Domain', `=${expression}`]]);
				} catch {
					seen.refused += 1;
					return;
				}
				seen.accepted += 1;
				expect(valueFor(expression, 0)).toEqual(valueFor(expression, 1));
			}),
			runs(20),
		);
		return await Promise.resolve();
	};
	await inNode(payroll, undefined, check, items);
	expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(runs(1).numRuns / 2);
});
