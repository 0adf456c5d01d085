/** Descriptions: what is read of one, each form that the editor shows of it, and each call by it. */
import {
	propertiesOf,
	type Field,
	type RecordContent,
} from '../../../nodes/shared/contract/fields.ts';
import { automaticValues } from '../../../nodes/shared/form/mapping/automatic.ts';
import { mappedValues, mapperFields } from '../../../nodes/shared/form/mapping/mapper.ts';
import { plannedWrite } from '../../../nodes/shared/actions/soapCall.ts';
import type { Operation } from '../../../nodes/shared/contract/operation.ts';
import { readDocument } from '../../../nodes/shared/soap/wsdl/documents.ts';
import { Wsdl } from '../../../nodes/shared/soap/wsdl/Wsdl.ts';
import type { Values } from '../../../nodes/shared/values/values.ts';
import { accessOf, answering, connectionTo } from '../../support/exchange.mts';
import {
	abstractOperation,
	definitions,
	messages,
	schema,
	SERVICE_NS,
	WSDL_ADDRESS,
	wrapper,
} from '../../support/wsdl.mts';
import { attempt } from './attempt.mts';
import { bound, starts, vocabulary } from './description-recipes.mts';
import type { Kind, Outcome, Timed } from './kind.mts';
import { envelope } from './xml.mts';

/** Maximum size of all documents of a description, in bytes. */
const MAX_LENGTH = 8 * 2 ** 20;

/** How many operations of a description are used: the first, the last, and some in between. */
const USED = 6;

/** Values of a request, and rows of one of its lists. */
const VALUES = 20_000;
const ROWS = 8000;

const connection = connectionTo('http://payroll.example', {
	soapNamespace: SERVICE_NS.replace('/Service', ''),
});

const document = ([
	request = '',
	types = '',
	port = '',
	binding = '',
	more = '',
]: readonly string[]): string =>
	definitions(
		`<wsdl:types>${schema(wrapper('Call', request) + wrapper('CallResponse') + types)}</wsdl:types>` +
			messages('Call') +
			`<wsdl:portType name="Port">${abstractOperation('Call')}${port}</wsdl:portType>` +
			'<wsdl:binding name="b" type="tns:Port"><soap:binding/>' +
			`${bound('Call')}${binding}</wsdl:binding>${more}`,
	);

/** A value for a field; rows are of the last of the derived types. `left` bounds how many values there are in all. */
function sampleValue(field: Field, depth: number, left: Left): unknown {
	left.values -= 1;
	switch (field.kind) {
		case 'list':
		case 'repeated':
			return sampleRows(field.of, depth, left);
		case 'tokens':
			return [sampleValue(field.of, depth + 1, left)];
		case 'record': {
			if (depth > 3) return {};
			const derived = field.derived?.at(-1);
			const values = sampleValues(derived ?? field, depth + 1, left);
			return derived === undefined ? values : { ...values, '@xsi:type': derived.type };
		}
		case 'enumeration':
			return field.values.at(-1);
		default:
			return '7';
	}
}

interface Left {
	values: number;
}

function sampleRows(of: Field, depth: number, left: Left): unknown[] {
	const before = left.values;
	const row = sampleValue(of, depth + 1, left);
	const each = before - left.values;
	const count = Math.max(1, Math.min(ROWS, Math.floor(left.values / each)));
	left.values -= count * each;
	return Array.from({ length: count }, () => row);
}

function sampleValues(content: RecordContent, depth: number, left: Left): Values {
	const chosen = new Set(content.choice?.names.slice(1));
	const values: Array<[string, unknown]> = [];
	for (const [name, field] of Object.entries(propertiesOf(content))) {
		if (left.values <= 0) break;
		if (!chosen.has(name)) values.push([name, sampleValue(field, depth, left)]);
	}
	return Object.fromEntries(values);
}

/** What the editor, and a call by each mapping, do with an operation. */
async function use(operation: Operation, timed: Timed): Promise<unknown> {
	const { request } = operation;
	await timed(() => attempt(() => mapperFields(request, true)));
	const form = await timed(() => attempt(() => mapperFields(request, false)));
	const values = sampleValues(request, 0, { values: VALUES });
	const fields = form.kept as Array<{ id: string }>;
	const ids = fields.slice(0, VALUES).map(({ id }) => [id, '7']);
	await timed(() => attempt(() => mappedValues(request, Object.fromEntries(ids) as Values)));
	await timed(() => attempt(() => automaticValues(request, values)));
	const { exchange } = answering(() => {
		const written = (plan as unknown as { preview(): { envelope: string } }).preview().envelope;
		const [, inner = ''] = /<(?:\w+:)?Call[ >][^]*?>?([^]*)<\/(?:\w+:)?Call>/.exec(written) ?? [];
		const body = `<${operation.name}Response xmlns="${SERVICE_NS}">${inner}</${operation.name}Response>`;
		return { type: 'text/xml', body: envelope(body) };
	});
	const access = accessOf(exchange, { connection });
	// The answer has the types of the request, so that they are read, too.
	const both = { ...operation, response: request };
	let plan: ReturnType<typeof plannedWrite> | undefined;
	await timed(() => attempt(() => (plan = plannedWrite(access, both, values, []))));
	if (plan !== undefined)
		await timed(() => attempt(async () => await plan?.write.send(access as never)));
	return form;
}

async function read(text: string, timed: Timed): Promise<Outcome> {
	const kept: unknown[] = [];
	const outcome = await timed(() =>
		attempt(() => new Wsdl('Service', [readDocument(WSDL_ADDRESS, text)])),
	);
	if (!outcome.isRead) return outcome;
	const wsdl = outcome.kept as Wsdl;
	const { operations } = wsdl;
	const step = Math.max(1, Math.ceil(operations.length / USED));
	let isRead = false;
	for (const { name } of operations.filter((_, i) => i % step === 0)) {
		const found = await timed(() => attempt(() => wsdl.operation(name)));
		kept.push(found.kept);
		if (!found.isRead) continue;
		isRead = true;
		kept.push(await use(found.kept as Operation, timed));
	}
	return { isRead, kept: [wsdl, kept] };
}

export const description: Kind = {
	...vocabulary,
	maxLength: MAX_LENGTH,
	starts,
	// One second, where the largest list takes two.
	most: { time: 0.55, mebibytes: 256 },
	heap: 1024,
	document,
	read,
};
