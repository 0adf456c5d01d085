import type { Icon, ICredentialType, INodeProperties } from 'n8n-workflow';
import { identityServer } from '../nodes/shared/contract/operations';
import { BASE_ADDRESS } from '../nodes/shared/credential/connection';

/**
 * Expression for the identity server's address, without surrounding whitespace and trailing slashes. The client secret is
 * sent there: an address that does not match, such as plain http to another machine, becomes one that n8n refuses.
 */
const IDENTITY =
	'[($self["identityUrl"] || "").trim()].map((address) => ' +
	'address.slice(0, address.split("").findLastIndex((one) => one !== "/") + 1))' +
	`.map((address) => ${String(BASE_ADDRESS)}.test(address)` +
	' ? address : "The identity address must begin with https://")[0]';

/**
 * Expression for the scopes to request: those chosen, or all if none is chosen, and always the one that brings a refresh
 * token. An expression, such as of `$vars`, gives a text of them. No scope is preselected, since n8n's credential window
 * does not keep a preset.
 */
const SCOPE =
	'[[].concat($self["scopes"] || []).flatMap((chosen) => chosen.split(/[\\s,]+/).filter((scope) => scope))]' +
	`.map((chosen) => chosen.length > 0 ? chosen : ${JSON.stringify(identityServer.scopes)})[0]` +
	'.concat("offline_access").filter((scope, i, all) => all.indexOf(scope) === i).join(" ")';

const REQUIRED = { type: 'string', default: '', required: true } as const;
const SECRET = { ...REQUIRED, typeOptions: { password: true } } as const;

const FIELDS: readonly INodeProperties[] = [
	{
		displayName: 'Client ID',
		name: 'appId',
		...REQUIRED,
		placeholder: 'e.g. my-n8n-app',
		description:
			"Identifier of your app. The payroll provider issues it when you register the app under the 'OAuth Redirect URL' above. Choose None for 'Allowed HTTP Request Domains': with All, an HTTP Request node can send its token to any server.",
	},
	{
		displayName: 'Client Secret',
		name: 'appSecret',
		...SECRET,
		placeholder: 'e.g. the-secret-of-my-app',
		description:
			"Secret of your app, exactly as the payroll provider issued it with the 'Client ID'. Often it is shown only once.",
	},
	{
		displayName: 'Subscription Key',
		name: 'subscriptionKey',
		...SECRET,
		placeholder: 'e.g. 0123456789abcdef0123456789abcdef',
		description:
			"Key that the payroll provider's developer portal generates when you subscribe to a product there. It is sent with every call.",
	},
	{
		displayName: 'Domain',
		name: 'domain',
		...REQUIRED,
		placeholder: 'e.g. my-domain',
		description:
			'Value that every SOAP call carries in its header, as AuthHeaderWithDomain. Ask the payroll provider which one is yours.',
	},
	{
		displayName: 'Identity Address',
		name: 'identityUrl',
		...REQUIRED,
		placeholder: 'e.g. https://identity.example.com',
		description:
			'Base address of the identity provider, where you log in and give consent, beginning with https://. Ask the payroll provider for it.',
	},
	{
		displayName: 'REST Address',
		name: 'restUrl',
		...REQUIRED,
		placeholder: 'e.g. https://api.example.com',
		description:
			'Base address of the REST API, for hour codes and other lists. Ask the payroll provider for it.',
	},
	{
		displayName: 'SOAP Address',
		name: 'soapUrl',
		...REQUIRED,
		placeholder: 'e.g. https://soap.example.com',
		description:
			'Base address of the SOAP web services. You can also paste the complete address of a service: the path that begins with /soap is left out. Ask the payroll provider for it.',
	},
	{
		displayName: 'SOAP Namespace',
		name: 'soapNamespace',
		...REQUIRED,
		placeholder: 'e.g. https://soap.example.com/soap/v3',
		description:
			"Root of the XML namespaces of the SOAP services. The WSDL of the EmployeeService contains it in targetNamespace: you can also paste that, since the service's name at its end is left out.",
	},
	{
		displayName: 'SOAP Version',
		name: 'soapVersion',
		type: 'options',
		options: [
			{ name: 'SOAP 1.1', value: '1.1' },
			{ name: 'SOAP 1.2', value: '1.2' },
		],
		default: '1.1',
		description:
			'Version of the SOAP protocol. Keep 1.1 unless the payroll provider requires 1.2. The results are the same.',
	},
	{
		displayName: 'Scopes',
		name: 'scopes',
		type: 'multiOptions',
		options: identityServer.scopes.map((scope) => ({ name: scope, value: scope })),
		default: [],
		description:
			'Scopes to request consent for; all if none is chosen. Likely needed: employee.info for the addresses of employees, employee.employment for cost centers, company.info for the address of a company, company.payrollsettings.read for hour codes; add .read at the end if you only read. The scope offline_access is always requested, since it keeps the connection alive.',
	},
	{
		displayName: 'Read Only',
		name: 'readOnly',
		type: 'boolean',
		default: false,
		description:
			'Whether to refuse every operation that writes, before anything is sent. For trying things out, and for AI agents.',
	},
	{
		displayName: 'Requests per Second',
		name: 'requestsPerSecond',
		type: 'number',
		default: '',
		placeholder: 'e.g. 5',
		description:
			'Maximum number of requests per second of all calls with this credential together, in each n8n process. No limit if empty or 0.',
	},
];

/**
 * Expression for the expressions that are stored in the fields, each with its label; a list of choices is an array of
 * texts. A node receives a credential with all expressions evaluated; only another field sees them as they are stored,
 * as `$rawParameter["&<name>"]`: `nodeParameterGetter` in `workflow-data-proxy.ts` of n8n-workflow, called by
 * `applyDefaultsAndOverwrites` in `credentials-helper.ts` of its server.
 */
const EXPRESSIONS =
	`${JSON.stringify(FIELDS.map(({ displayName, name }) => [displayName, name]))}` +
	'.flatMap((field) => [].concat($rawParameter["&" + field[1]])' +
	'.filter((value) => /^=/.test(value)).map((value) => [field[0], value]))';

/** A field that n8n's OAuth client reads, and nobody fills in. */
const hidden = (displayName: string, name: string, value: string): INodeProperties => ({
	displayName,
	name,
	type: 'hidden',
	default: value,
});

/** OAuth 2.0 authorization code grant with rotating refresh tokens (docs/dev/interface.md, section 5). */
export class PayrollOAuth2Api implements ICredentialType {
	name = 'payrollOAuth2Api';

	extends = ['oAuth2Api'];

	displayName = 'Payroll OAuth2 API';

	documentationUrl =
		'https://github.com/n8n-nodes-payroll/n8n-nodes-payroll/blob/main/docs/credentials.md';

	icon: Icon = { light: 'file:../icons/payroll.svg', dark: 'file:../icons/payroll.dark.svg' };

	properties: INodeProperties[] = [
		...FIELDS,
		hidden('Grant Type', 'grantType', 'authorizationCode'),
		{
			...hidden('Authorization URL', 'authUrl', `={{ ${IDENTITY} }}${identityServer.consent}`),
			required: true,
		},
		{
			...hidden('Access Token URL', 'accessTokenUrl', `={{ ${IDENTITY} }}${identityServer.token}`),
			required: true,
		},
		// n8n sends it as it is: copied with a blank, it would be another app.
		hidden('Client ID (Trimmed)', 'clientId', '={{ String($self["appId"] ?? "").trim() }}'),
		{
			// The service expects the secret URL-encoded in the Basic header, and n8n does not encode it.
			...hidden(
				'Client Secret (Encoded)',
				'clientSecret',
				'={{ encodeURIComponent(String($self["appSecret"] ?? "").trim()) }}',
			),
			typeOptions: { password: true },
		},
		hidden('Expressions', 'expressions', `={{ ${EXPRESSIONS} }}`),
		hidden('Scope', 'scope', `={{ ${SCOPE} }}`),
		hidden('Auth URI Query Parameters', 'authQueryParameters', ''),
		hidden('Authentication', 'authentication', 'header'),
	];
}
