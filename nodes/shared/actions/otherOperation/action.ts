/** Other Operation: Call, which calls any operation of any service. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Fields, RecordContent } from '../../contract/fields';
import { keysOf, type Operation, subjectOf } from '../../contract/operation';
import { soapOperations } from '../../contract/operations';
import { UNKNOWN_OPERATION } from '../../errors/advice';
import { collectAll, invalidInput } from '../../values/InputError';
import type { InputItem } from '../../form/inputItem';
import { formOf } from '../../form/mapping/columns';
import {
	domainOption,
	dryRunProperty,
	optionsProperty,
	readOption,
	resendOption,
	showEnvelopeOption,
	type WriteOptions,
} from '../../form/options';
import { openSchema } from '../../form/output';
import { identifierInItem, noticeOf } from '../../form/requestValues';
import { AS_TOOL, evaluatedDescription } from '../../host/forms';
import { isTool } from '../../host/runs';
import type { ChosenAction, WriteCall } from '../../run/action';
import { fetchWsdl } from '../../soap/wsdl/Wsdl';
import { isEmpty, type Values } from '../../values/values';
import { addressed, periodNotices } from '../soapCall';
import {
	fileNotices,
	hashesOfFiles,
	outputFileOptions,
	outputOf,
	readOutputFile,
	takeFiles,
} from './files';
import { callMethods, callProperties, OPERATION, plannedCall, readCall, SERVICE } from './form';

/** The request elements that the known operations use as keys (employee or company, and period). */
const KEYS: Fields = Object.assign(
	{},
	...soapOperations.map(({ request }) => keysOf(request.fields)),
);

/** The keys by the names of their columns. */
const KEY_FORM = formOf({ fields: KEYS });

/** Returns the key that an element or a column is for, whatever its case. */
const keyNamed = (name: string): string => KEY_FORM.find(name)?.path[0] ?? '';

/** Returns the keys of a call: those that have a single text or number, in a list or not. */
function keysIn(values: Values): Values {
	const keys: Values = {};
	for (const [given, value] of Object.entries(values)) {
		const [single, ...others] = [value].flat() as unknown[];
		const isText = typeof single === 'string' && !isEmpty(single);
		if (others.length > 0 || !(isText || typeof single === 'number')) continue;
		const name = keyNamed(given);
		const isFirst = !Object.hasOwn(keys, name) || given === name;
		if (isFirst) keys[name] = identifierInItem(String(single));
	}
	return keys;
}

/** A request or a response, as long as only the name of the operation is known. */
const ANYTHING: RecordContent = { fields: {}, isOpen: true };

/** The option that declares an operation as reading. Only the builder can turn it on. */
const onlyReadsOption: INodeProperties = {
	displayName: 'Only Reads',
	name: 'onlyReads',
	type: 'boolean',
	noDataExpression: true,
	// A builder who adds this option wants it on.
	default: true,
	description:
		'Whether the operation changes nothing at the service. Its calls then run in parallel and are repeated after a failure, so add this option only if you are sure.',
};

/** Returns what is stored for Only Reads. The value of an expression may come from an item or an AI model. */
const storedOnlyReads = (item: InputItem): unknown =>
	Object(item.stored('options'))[onlyReadsOption.name] ?? false;

/** The names that operations have which only read, as a rule: nothing follows from it but a hint. */
const READING_NAME = /(?:^|_)(?:Get|List)(?!\p{Ll})/u;
const IF_IT_READS =
	"If the operation only reads, add the option 'Only Reads': its calls then overlap, and are repeated after a failure";

/** What the tool of a chosen operation does, for an AI model. */
const LEAD = evaluatedDescription(
	`Call the operation {{ $parameter["${OPERATION}"] }} of the {{ $parameter["${SERVICE}"] }} of the payroll service. {{ $parameter["options"]?.["${onlyReadsOption.name}"] === true ? "Changes nothing." : "May change data." }}`,
	'Call an operation of the payroll service. May change data.',
);

const describeNotice: INodeProperties = {
	displayName:
		'Say in the description what the operation does, and what each value means: the AI model knows nothing else about it.',
	name: 'describeNotice',
	type: 'notice',
	default: '',
	displayOptions: { show: AS_TOOL },
};

/** Prepares a call. Its values are checked when it is planned: the service describes their types. */
function prepareCall(item: InputItem, options: WriteOptions<string>): WriteCall {
	const [call, isRead, file, resendsRefused] = collectAll(
		() => readCall(item),
		() => {
			const isOn = storedOnlyReads(item);
			if (typeof isOn === 'boolean') return isOn;
			const text = 'does not accept an expression. Turn it on or off by hand.';
			throw invalidInput(text).at(onlyReadsOption.name);
		},
		() => readOutputFile(item),
		() => readOption(item, resendOption),
	);
	const { service, name, isTyped, given } = call;
	const about = addressed(KEYS, keysIn(given));
	const other = soapOperations.find((operation) => operation.name === name)?.service ?? service;
	const text =
		other === service
			? `The ${service} does not know ${name}: check 'Service' and 'Operation Name', and 'SOAP Namespace' in the credential.`
			: `${name} is an operation of the ${other}: set 'Service' to ${other}.`;
	const advice = [{ fault: UNKNOWN_OPERATION, text }];
	const own = { effect: isRead ? 'read' : 'write', advice: () => advice } as const;
	const byName = { service, name, request: ANYTHING, response: ANYTHING, canBeSilent: true };
	return {
		...about,
		// A write, whatever the builder declares: a read-only credential refuses it.
		effect: 'write',
		options,
		resends: isRead ? 'always' : 'never',
		content: async () =>
			JSON.stringify([service, name, given, ...(await hashesOfFiles(item, given))]),
		records: { resendsRefused },
		async plan(access) {
			const described = isTyped ? (await fetchWsdl(access, service)).operation(name) : byName;
			const operation: Operation = { ...described, ...own };
			const { fields, isOpen } = operation.request;
			// An input item may have keys that the request has not.
			const names = new Set(Object.keys(fields).map(keyNamed));
			const sent = Object.entries(about.keys).filter(([key]) => isOpen === true || names.has(key));
			const { keys } = addressed(KEYS, Object.fromEntries(sent));
			const output = file && outputOf(operation, file);
			const { send, ...plan } = await plannedCall(access, operation, item, call);
			const mayRead = !isRead && !isTool(item.node) && READING_NAME.test(name);
			return {
				...plan,
				keys,
				notices: [
					...periodNotices(keys),
					...plan.notices,
					...noticeOf('option', IF_IT_READS, mayRead ? [name] : []),
				],
				send:
					send &&
					(async (writing) => {
						const result = await send(writing);
						if (output !== undefined) {
							const request = plan.preview().request as IDataObject;
							return await takeFiles(item, output, name, request, result, access.host);
						}
						const more = isTool(item.node) ? [] : fileNotices(result.records);
						return { ...result, notices: [...result.notices, ...more] };
					}),
			};
		},
	};
}

/**
 * Creates the action that calls any operation of any service (docs/dev/interface.md, section 1).
 *
 * @param known an operation of the service that the form begins with, for its examples
 */
export function otherOperationAction(known: Operation): ChosenAction {
	return {
		name: 'Call',
		action: 'Call other operation',
		description:
			'Call any operation of any service, with typed parameters from its own description',
		kind: 'chosen',
		// The operation's effect is unknown, so no call is retried if its outcome is unknown.
		effect: 'write',
		declaredEffect: (item) => (storedOnlyReads(item) === true ? 'read' : 'write'),
		operation: 'Any operation',
		namedBy: OPERATION,
		lead: LEAD,
		takesDomain: true,
		request: KEYS,
		properties: [
			dryRunProperty,
			describeNotice,
			...callProperties(known),
			optionsProperty([
				domainOption,
				onlyReadsOption,
				resendOption,
				showEnvelopeOption,
				...outputFileOptions,
			]),
		],
		switches: {},
		isReadable: false,
		methods: callMethods(known.service),
		keysInItems: (_, keys) => keys,
		outputSchema: () => openSchema({ [subjectOf(known.request.fields)]: { kind: 'int' } }),
		prepare: ([item], options) => prepareCall(item, options),
	};
}
