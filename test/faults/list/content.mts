/** Well-formed answers that hold what they should not. */
import type { IDataObject } from 'n8n-workflow';
import {
	body,
	complete,
	error,
	unknown,
	useless,
	writes,
	type Act,
	type Expectations,
	type Group,
} from '../fault.mts';
import type { Call } from '../server.mts';

const UNREADABLE = /no readable answer/;
const DTD = /document type declaration/;

/** Puts elements into the first record, before the result, or into the empty response element. */
function inside(text: string, { cell }: Call, elements: string): string {
	const { kind, record, operation } = cell.target;
	if (kind === 'soapRead') return text.replace(`<${record}>`, `<${record}>${elements}`);
	if (kind === 'insert') return text.replace(`<${operation}Result>`, `${elements}$&`);
	return text.replace(/(<\w+Response xmlns="[^"]*") \/>/, `$1>${elements}</${operation}Response>`);
}

/** Replaces the first `Id`: that of a record, or the one an insert gives. */
function firstId(element: (open: string, close: string) => string): Act {
	return body((text, { cell }) =>
		cell.target.kind === 'insert'
			? text.replace(/<(\w+Result)>\d+<\/\1>/, (_all, name: string) =>
					element(`<${name}>`, `</${name}>`),
				)
			: text.replace(/<Id>\d+<\/Id>/, () => element('<Id>', '</Id>')),
	);
}

/** Of those that have a first `Id`: it cannot be read. */
function noId(message: RegExp): Expectations {
	return { soapRead: error(1, 1, message), insert: unknown(1, 1, message) };
}

/** Useless on SOAP; a JSON answer has no such thing. */
function uselessXml(message: RegExp): Expectations {
	return { soapRead: error(1, 1, message), ...writes(unknown(1, 1, message)) };
}

function withDoctype(subset: (call: Call) => string, entity: string): Act {
	return body((text, call) =>
		inside(text, call, `<Note>${entity}</Note>`).replace(
			'?>',
			`?><!DOCTYPE Envelope [${subset(call)}]>`,
		),
	);
}

const exploding = Array.from({ length: 10 }, (_none, index) => {
	const content = index === 0 ? 'ha' : `&e${index - 1};`.repeat(10);
	return `<!ENTITY e${index} "${content}">`;
}).join('');

const nested = (depth: number): string => '<a>'.repeat(depth) + '</a>'.repeat(depth);

function firstRecord(change: IDataObject) {
	return (good: IDataObject[]): IDataObject[] =>
		good.map((record, index) => (index === 0 ? { ...record, ...change } : record));
}

export const xml: Group = {
	name: 'Content of XML',
	faults: [
		{
			name: 'response of the wrong operation',
			service: body((good, { cell }) => good.replaceAll(cell.target.operation, 'Salary_Get')),
			expect: uselessXml(UNREADABLE),
		},
		{
			name: 'DTD, external entity',
			service: withDoctype(({ places }) => `<!ENTITY x SYSTEM "${places.other}/entity">`, '&x;'),
			expect: uselessXml(DTD),
		},
		{
			name: 'DTD, exploding entities',
			service: withDoctype(() => exploding, '&e9;'),
			expect: uselessXml(DTD),
		},
		{
			name: 'element __proto__',
			service: body((good, call) =>
				inside(good, call, '<__proto__><polluted>yes</polluted></__proto__>'),
			),
			expect: uselessXml(UNREADABLE),
		},
		{
			name: 'element constructor',
			service: body((good, call) => inside(good, call, '<constructor>yes</constructor>')),
			expect: uselessXml(UNREADABLE),
		},
		{
			name: 'nested 10,000 deep',
			service: body((good, call) => inside(good, call, nested(10_000))),
			expect: uselessXml(UNREADABLE),
		},
		{
			name: 'xsi:nil of a field',
			service: firstId((open) => open.replace('>', ' xsi:nil="true" />')),
			expect: {
				soapRead: complete(1, 1, firstRecord({ Id: null })),
				insert: unknown(1, 1, /Expected a value/),
			},
		},
		{
			name: 'single element twice',
			service: firstId((open, close) => `${open}1${close}${open}1${close}`),
			expect: noId(/twice/),
		},
		{
			name: 'number out of range',
			service: firstId((open, close) => `${open}99999999999${close}`),
			expect: noId(/32 bits, got "99999999999"/),
		},
		{
			name: 'date where an int belongs',
			service: firstId((open, close) => `${open}2026-01-01T00:00:00${close}`),
			expect: noId(/32 bits, got "2026-01-01/),
		},
	],
};

/** Only REST: what SOAP answers hold is not looked at. */
function restOnly(expectation: Expectations['restRead']): Expectations {
	return expectation === undefined ? {} : { restRead: expectation };
}

/** Writes members into the first record of a page; its own come first. */
function member(json: string): Act {
	return body((good) => good.replace('}', `,${json}}`));
}

export const json: Group = {
	name: 'Content of JSON',
	faults: [
		{
			name: 'key __proto__',
			service: member('"__proto__":{"polluted":"yes"}'),
			expect: restOnly(error(1, 1, /__proto__/)),
		},
		{
			name: 'key constructor',
			service: member('"constructor":{"prototype":"yes"}'),
			expect: restOnly(complete(1, 1, firstRecord({ constructor: { prototype: 'yes' } }))),
		},
		{
			name: 'JSON nested 10,000 deep',
			service: member(`"deep":${'['.repeat(10_000)}${']'.repeat(10_000)}`),
			expect: restOnly(error(1, 1, /nested too deep/)),
		},
		{
			name: 'number beyond all bounds',
			service: member('"big":1e400'),
			expect: restOnly(error(1, 1, /number that is too large/)),
		},
		{
			name: 'JSON without a list',
			service: body(() => '{"hello":"world"}'),
			expect: restOnly(error(1, 1, /without a list/)),
		},
		{
			name: 'JSON null',
			service: body(() => 'null'),
			expect: restOnly(useless(/without a list/).restRead),
		},
		{
			name: 'fewer records than the page names',
			service: body((good) => good.replace(/"items":\[\{[^}]*\},/, '"items":[')),
			expect: restOnly(error(1, 1, /not complete/)),
		},
	],
};
