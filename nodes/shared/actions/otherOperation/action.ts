import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { soapOperations } from '../../contract/operations';
import type { RecordContent } from '../../contract/fields';
import { type FaultAdvice, type Operation, subjectOf } from '../../contract/operation';
import { adviceOnUnknownName, UNKNOWN_OPERATION } from '../../errors/advice';
import { collectAll, invalidInput } from '../../errors/InputError';
import type { InputItem } from '../../form/inputItem';
import {
	domainOption,
	dryRunProperties,
	optionsProperty,
	readResend,
	resendOption,
	showEnvelopeOption,
	type WriteOptions,
} from '../../form/options';
import { openSchema } from '../../form/output';
import { formatKeys } from '../../form/names';
import { AS_TOOL, evaluatedDescription } from '../../host/forms';
import { isTool } from '../../host/runs';
import type { ChosenAction, Notice, WriteCall } from '../../run/action';
import { periodNotices, subjectIn } from '../soapCall';
import {
	checkOperation,
	checkService,
	FROM_LIST,
	isFromList,
	OPERATION,
	OPERATION_LIST,
	operationList,
	operationProperty,
	SERVICE,
	SERVICE_LIST,
	serviceList,
	serviceProperty,
} from './choice';
import {
	fileNotices,
	hashesOfFiles,
	outputFileOptions,
	outputFiles,
	readOutputFile,
} from './files';
import { KEYS, keysIn, keysSent } from './keys';
import {
	byNameProperty,
	PARAMETER_FIELDS,
	parameterFields,
	readByName,
	readTyped,
	typedProperties,
	withTypes,
} from './parameters';

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

/**
 * Returns what is stored for the option Only Reads. An expression is not evaluated: its value may
 * come from an item or an AI model.
 */
function storedOnlyReads(item: InputItem): unknown {
	return Object(item.stored('options'))[onlyReadsOption.name] ?? false;
}

/** @throws {InputError} naming the option, if it is an expression */
function readOnlyReads(item: InputItem): boolean {
	const isOn = storedOnlyReads(item);
	if (typeof isOn === 'boolean') return isOn;
	throw invalidInput('does not accept an expression. Turn it on or off by hand.').at(
		onlyReadsOption.name,
	);
}

/** The names that operations have which only read, as a rule: nothing follows from it but a hint. */
const READING_NAME = /(?:^|_)(?:Get|List)(?!\p{Ll})/u;

/** Returns the notice that an operation may only read, by its name. A model cannot add an option. */
function readingNotices({ name, effect }: Operation, { node }: InputItem): readonly Notice[] {
	if (effect === 'read' || isTool(node) || !READING_NAME.test(name)) return [];
	const text =
		"If the operation only reads, add the option 'Only Reads': its calls then overlap, and are repeated after a failure";
	return [{ isProblem: false, text, list: [name] }];
}

/** What the tool of a chosen operation does, for an AI model. */
const LEAD = evaluatedDescription(
	`Call the operation {{ $parameter["${OPERATION}"] }} of the {{ $parameter["${SERVICE}"] }} of the payroll service. {{ $parameter["options"]?.["${onlyReadsOption.name}"] === true ? "Changes nothing." : "May change data." }}`,
	'Call an operation of the payroll service. May change data.',
);

/** Tells the builder of a tool what the model does not know. */
const describeNotice: INodeProperties = {
	displayName:
		'Say in the description what the operation does, and what each value means: the AI model knows nothing else about it.',
	name: 'describeNotice',
	type: 'notice',
	default: '',
	displayOptions: { show: AS_TOOL },
};

/** Advice for a service that does not know the operation. */
function adviceOnOperation(name: string, service: string): FaultAdvice {
	const known = soapOperations.find((operation) => operation.name === name)?.service;
	const other = known === service ? undefined : known;
	return { fault: UNKNOWN_OPERATION, text: adviceOnUnknownName(name, service, other) };
}

function prepareChosen(item: InputItem, options: WriteOptions<string>): WriteCall {
	const operation = item.read(OPERATION);
	const [service, name, { values, plan }, isRead, file, records] = collectAll(
		() => checkService(item.read(SERVICE)),
		() => checkOperation(operation),
		() => (isFromList(operation) ? readTyped(item) : readByName(item)),
		() => readOnlyReads(item),
		() => readOutputFile(item),
		() => readResend(item),
	);
	const named: Operation = {
		service,
		name,
		effect: isRead ? 'read' : 'write',
		request: ANYTHING,
		response: ANYTHING,
		canBeSilent: true,
		advice: () => [adviceOnOperation(name, service)],
	};
	const keys = keysIn(values);
	return {
		// A write, whatever the builder declares: a read-only credential refuses it.
		effect: 'write',
		options,
		resends: isRead ? 'always' : 'never',
		content: async () =>
			JSON.stringify([service, name, values, ...(await hashesOfFiles(item, values))]),
		records,
		subject: subjectIn(keys),
		keys,
		whom: formatKeys(KEYS, keys),
		async plan(access) {
			const typed = isFromList(operation) ? await withTypes(access, named) : named;
			// An input item may have keys that the request has not.
			const sent = keysSent(keys, typed.request);
			const toFiles = file && outputFiles(item, file, typed, access.host.cancel);
			const planned = await plan(access, typed);
			const request = planned.preview().request as IDataObject;
			const far = periodNotices(sent, formatKeys(KEYS, sent));
			const notices = [...far, ...planned.notices, ...readingNotices(typed, item)];
			return {
				...planned,
				keys: sent,
				notices,
				write: {
					...planned.write,
					async send(writing) {
						const result = await planned.write.send(writing);
						if (toFiles !== undefined) return { ...(await toFiles(result, request)), keys: sent };
						const more = isTool(item.node) ? [] : fileNotices(result.records);
						return { ...result, notices: [...result.notices, ...more], keys: sent };
					},
				},
			};
		},
	};
}

/**
 * Creates the action that calls any operation of any service (docs/dev/interface.md, section 1: the
 * interface does not list all operations): typed, if it is chosen from the service's description, or
 * by name.
 *
 * @param known an operation of the service that the form begins with, for its examples
 */
export function otherOperationAction(known: Operation): ChosenAction {
	const { service } = known;
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
			...dryRunProperties,
			describeNotice,
			serviceProperty(service),
			operationProperty(known.name),
			...typedProperties,
			{ ...byNameProperty(known), displayOptions: { hide: FROM_LIST } },
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
		methods: {
			listSearch: { [SERVICE_LIST]: serviceList, [OPERATION_LIST]: operationList(service) },
			resourceMapping: { [PARAMETER_FIELDS]: parameterFields(service) },
		},
		keysInItems: (_, keys) => keys,
		outputSchema: () => openSchema({ [subjectOf(known.request.fields)]: { kind: 'int' } }),
		prepare: ([item], options) => prepareChosen(item, options),
	};
}
