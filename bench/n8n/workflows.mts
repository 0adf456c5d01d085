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
export const PERIOD = { Period: 6, Year: 2026 };

/** Stands in envelopes for what an expression or a program replaces. */
export const MARKER = 1_234_567_890;

/** A call as a user writes it by hand. */
export interface HandwrittenCall {
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly envelope: string;
}

/** Returns a call of an operation about cost centers, for {@link MARKER} as the employee and, of an update, as the only code. */
export function costCenterCall(
	sandbox: Connection,
	name: 'costCenterGet' | 'costCenterUpdate' = 'costCenterGet',
): HandwrittenCall {
	const operation = built<typeof contract>('contract/operations')[name];
	const { serviceNamespace, wrapRequest, writeRequest } = built<typeof envelope>('soap/write');
	const { domain, namespace, subscriptionKey, url } = sandbox;
	const request = { EmployeeId: MARKER, ...PERIOD };
	const rows = { CostCenteren: [{ CostCenter: { Code: String(MARKER) } }] };
	return {
		url: `${url}/soap/v3/EmployeeService.asmx`,
		headers: {
			'Content-Type': 'text/xml; charset=utf-8',
			SOAPAction: `"${serviceNamespace(namespace, 'EmployeeService')}/${operation.name}"`,
			'X-Subscription-Key': subscriptionKey,
		},
		envelope: wrapRequest(
			{ domain, soapNamespace: namespace, soapVersion: '1.1' },
			operation,
			writeRequest(
				operation.request,
				name === 'costCenterGet' ? request : { ...request, ...rows },
				serviceNamespace(namespace, operation.service),
			),
		),
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

/** The node HTTP Request, which sends its input items all at once. @param body an expression */
export function httpRequest(name: string, call: HandwrittenCall, body: string): NodeDraft {
	const { 'Content-Type': rawContentType, ...others } = call.headers;
	const parameters = Object.entries(others).map(([header, value]) => ({ name: header, value }));
	return {
		name,
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			...{ method: 'POST', url: call.url },
			...{ authentication: 'genericCredentialType', genericAuthType: GENERIC_CREDENTIAL_TYPE },
			...{ sendHeaders: true, headerParameters: { parameters } },
			...{ sendBody: true, contentType: 'raw', rawContentType: rawContentType ?? '', body },
			options: {},
		},
		credentials: { [GENERIC_CREDENTIAL_TYPE]: { id: null, name: 'OAuth2' } },
	};
}

/** Expression of the records in what the node XML gives: it returns a list of one as an object, and omits an empty list. */
export const RECORDS =
	"[$json['soap:Envelope']['soap:Body'].CostCenter_GetResponse.CostCenter_GetResult.EmployeeCostCenter ?? []].flat()";

/** HTTP Request and XML, and the nodes that turn their output into rows of texts. */
function readRows(sandbox: Connection): NodeDraft[] {
	const call = costCenterCall(sandbox);
	return [
		httpRequest(
			'HTTP Request',
			call,
			`=${call.envelope.replace(String(MARKER), '{{ $json.id }}')}`,
		),
		{ name: 'XML', type: 'n8n-nodes-base.xml', parameters: { options: {} } },
		editFields('List', assignment('rows', 'array', RECORDS)),
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
	'HTTP Request + XML, rows of texts': readRows,
	'HTTP Request + XML, the same rows': (sandbox: Connection) => [...readRows(sandbox), types],
	'No call at all': () => [],
} as const;

export type Contender = keyof typeof contenders;

/** What one would build at least without this package. */
export const alternative = 'HTTP Request + XML, rows of texts' satisfies Contender;

/** A contender's workflow, which a webhook starts, and which answers it with the first item at the end. */
export function workflowOf(name: string, items: object[], nodes: NodeDraft[]): WorkflowDraft {
	return chain(
		name,
		{
			name: 'Webhook',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			webhookId: name,
			parameters: { path: pathOf(name), responseMode: 'lastNode', options: {} },
		},
		...itemsNode(items),
		...nodes,
	);
}

/** The path of a workflow's webhook. */
export function pathOf(name: string): string {
	return name.toLowerCase().replace(/[^a-z]+/g, '-');
}
