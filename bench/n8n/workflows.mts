/** The workflows that are compared: each reads the cost centers of many employees, as rows. */
import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';
import type * as contract from '../../nodes/shared/contract/operations.ts';
import type * as envelope from '../../nodes/shared/soap/write.ts';
import { getCostCenters } from '../../dev/package/calls.mts';
import type { WorkflowDraft } from '../../dev/n8n/api.mts';
import { chain, itemsNode, type NodeDraft, payrollNode } from '../../dev/n8n/workflow.mts';
import type { Connection } from '../../dev/sandbox/options.mts';
import { built } from '../dist.mts';

/** The request for each employee. */
const PERIOD = { Period: 6, Year: 2026 };

/** A call of CostCenter_Get as a user writes it by hand, for the employee of the input item. */
export function costCenterCall(sandbox: Connection): {
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	/** An expression. */
	readonly envelope: string;
} {
	const { costCenterGet } = built<typeof contract>('contract/operations');
	const { serviceNamespace, wrapRequest, writeRequest } = built<typeof envelope>('soap/write');
	const { domain, namespace, subscriptionKey, url } = sandbox;
	const marker = 1_234_567_890;
	const text = wrapRequest(
		{ domain, soapNamespace: namespace, soapVersion: '1.1' },
		costCenterGet,
		writeRequest(costCenterGet.request, { EmployeeId: marker, ...PERIOD }),
	);
	return {
		url: `${url}/soap/v3/EmployeeService.asmx`,
		headers: {
			'Content-Type': 'text/xml; charset=utf-8',
			SOAPAction: `"${serviceNamespace(namespace, 'EmployeeService')}/CostCenter_Get"`,
			'X-Subscription-Key': subscriptionKey,
		},
		envelope: `=${text.replace(String(marker), '{{ $json.id }}')}`,
	};
}

/** The employees of a batch, as input items. */
export function employees(count: number): IDataObject[] {
	return Array.from({ length: count }, (_, index) => ({ id: 1001 + index }));
}

/** The type of n8n's own credential, for services that n8n has no type for. */
export const GENERIC_CREDENTIAL_TYPE = 'oAuth2Api';

/** n8n's own credential as a user fills it in for a sandbox. */
export function genericCredentialData(sandbox: Connection): ICredentialDataDecryptedObject {
	return {
		grantType: 'authorizationCode',
		authUrl: `${sandbox.url}/connect/authorize`,
		accessTokenUrl: `${sandbox.url}/connect/token`,
		clientId: sandbox.clientId,
		// The service expects the secret URL-encoded, and n8n does not encode it.
		clientSecret: encodeURIComponent(sandbox.clientSecret),
		scope: sandbox.scopes.join(' '),
		authentication: 'header',
	};
}

/** An assignment of the node Edit Fields. */
function assignment(name: string, type: string, value: string): IDataObject {
	return { id: name, name, type, value: `={{ ${value} }}` };
}

function editFields(name: string, ...assignments: IDataObject[]): NodeDraft {
	return {
		name,
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: { assignments: { assignments }, options: {} } as unknown as INodeParameters,
	};
}

/** HTTP Request and XML, and the nodes that turn their output into rows of texts. */
function httpRequest(sandbox: Connection): NodeDraft[] {
	const { envelope: text, headers, url } = costCenterCall(sandbox);
	const { 'Content-Type': rawContentType, ...others } = headers;
	const result =
		"$json['soap:Envelope']['soap:Body'].CostCenter_GetResponse.CostCenter_GetResult.EmployeeCostCenter";
	return [
		{
			name: 'HTTP Request',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: {
				method: 'POST',
				url,
				authentication: 'genericCredentialType',
				genericAuthType: GENERIC_CREDENTIAL_TYPE,
				sendHeaders: true,
				headerParameters: {
					parameters: Object.entries(others).map(([name, value]) => ({ name, value })),
				},
				sendBody: true,
				contentType: 'raw',
				rawContentType: rawContentType ?? '',
				body: text,
				options: {},
			},
			credentials: { [GENERIC_CREDENTIAL_TYPE]: { id: null, name: 'OAuth2' } },
		},
		{ name: 'XML', type: 'n8n-nodes-base.xml', parameters: { options: {} } },
		// The XML node returns a list of one as an object, and omits an empty list.
		editFields('List', assignment('rows', 'array', `[${result} ?? []].flat()`)),
		{
			name: 'Split Out',
			type: 'n8n-nodes-base.splitOut',
			parameters: { fieldToSplitOut: 'rows', options: {} },
		},
	];
}

/** Gives the rows their types and the keys of their requests, as this package does. */
const types = editFields(
	'Types',
	assignment('EmployeeId', 'number', "Number($('Items').item.json.id)"),
	assignment('Period', 'number', String(PERIOD.Period)),
	assignment('Year', 'number', String(PERIOD.Year)),
	assignment('Id', 'number', 'Number($json.Id)'),
	assignment('CostCenter', 'object', '{ ...$json.CostCenter, Id: Number($json.CostCenter.Id) }'),
	assignment('Kostensoort', 'object', '$json.Kostensoort'),
	assignment('Percentage', 'number', 'Number($json.Percentage)'),
	assignment('Default', 'boolean', "$json.Default === 'true'"),
);

/** The contenders, this package first. */
export const contenders = {
	'This package': () => [payrollNode('payrollEmployee', getCostCenters)],
	'HTTP Request + XML, rows of texts': httpRequest,
	'HTTP Request + XML, the same rows': (sandbox: Connection) => [...httpRequest(sandbox), types],
	'No call at all': () => [],
} as const;

export type Contender = keyof typeof contenders;

/** What one would build at least without this package. */
export const alternative = 'HTTP Request + XML, rows of texts' satisfies Contender;

/**
 * A contender's workflow, which a webhook starts, and which answers it with the first row at the end.
 *
 * @param count how many employees its nodes get
 */
export function workflowOf(name: Contender, sandbox: Connection, count: number): WorkflowDraft {
	return chain(
		name,
		{
			name: 'Webhook',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			webhookId: name,
			parameters: { path: pathOf(name), responseMode: 'lastNode', options: {} },
		},
		...itemsNode(employees(count)),
		...contenders[name](sandbox),
	);
}

/** The path of a workflow's webhook. */
export function pathOf(name: string): string {
	return name.toLowerCase().replace(/[^a-z]+/g, '-');
}
