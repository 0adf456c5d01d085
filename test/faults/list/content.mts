/** Well-formed answers whose content is wrong. */
import type { IDataObject } from 'n8n-workflow';
import { alterBody, type Act } from '../acts.mts';
import {
	complete,
	error,
	fault,
	soap,
	unknown,
	type Expectation,
	type Expectations,
	type Fault,
	type Group,
} from '../fault.mts';
import type { Call } from '../server.mts';

const DTD = /document type declaration/;

/** Puts elements into the first record, before the result, or into the empty response element. */
function inside(text: string, { cell }: Call, elements: string): string {
	const { kind, record, operation } = cell.target;
	if (kind === 'soapRead') return text.replace(`<${record}>`, `<${record}>${elements}`);
	if (kind === 'insert') return text.replace(`<${operation}Result>`, `${elements}$&`);
	return text.replace(/(<\w+Response xmlns="[^"]*") \/>/, `$1>${elements}</${operation}Response>`);
}

/** An answer with these elements, which cannot be used. */
function withElements(name: string, elements: string): Fault {
	const act = alterBody((good, call) => inside(good, call, elements));
	return fault(name, act, unusableXml(/no readable answer/));
}

/** Replaces the first `Id`: that of a record, or the one that an insert returns. */
function firstId(element: (open: string, close: string) => string): Act {
	return alterBody((text, { cell }) =>
		cell.target.kind === 'insert'
			? text.replace(/<(\w+Result)>\d+<\/\1>/, (_all, name: string) =>
					element(`<${name}>`, `</${name}>`),
				)
			: text.replace(/<Id>\d+<\/Id>/, () => element('<Id>', '</Id>')),
	);
}

/** An answer whose first `Id` cannot be read. */
function badId(
	name: string,
	message: RegExp,
	element: (open: string, close: string) => string,
): Fault {
	return fault(name, firstId(element), {
		soapRead: error(1, 1, message),
		insert: unknown(1, 1, message),
	});
}

function unusableXml(message: RegExp): Expectations {
	return soap(error(1, 1, message), unknown(1, 1, message));
}

/** An answer with a document type declaration, and a reference to an entity that it declares. */
function withDoctype(name: string, subset: (call: Call) => string, reference: string): Fault {
	const act = alterBody((text, call) =>
		inside(text, call, `<Note>${reference}</Note>`).replace(
			'?>',
			`?><!DOCTYPE Envelope [${subset(call)}]>`,
		),
	);
	return fault(name, act, unusableXml(DTD));
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
		fault(
			'response of the wrong operation',
			alterBody((good, { cell }) => good.replaceAll(cell.target.operation, 'Salary_Get')),
			unusableXml(/no readable answer/),
		),
		withDoctype(
			'DTD, external entity',
			({ endpoints }) => `<!ENTITY x SYSTEM "${endpoints.other}/entity">`,
			'&x;',
		),
		withDoctype('DTD, exploding entities', () => exploding, '&e9;'),
		withElements('element __proto__', '<__proto__><polluted>yes</polluted></__proto__>'),
		withElements('nested 10,000 deep', nested(10_000)),
		fault(
			'xsi:nil of a field',
			firstId((open) => open.replace('>', ' xsi:nil="true" />')),
			{
				soapRead: complete(1, 1, firstRecord({ Id: null })),
				insert: unknown(1, 1, /Expected a value/),
			},
		),
		badId('single element twice', /twice/, (open, close) => `${open}1${close}${open}1${close}`),
		badId(
			'date where an int belongs',
			/32 bits, got "2026-01-01/,
			(open, close) => `${open}2026-01-01T00:00:00${close}`,
		),
	],
};

/** A fault of the REST call's answer alone. */
function ofRest(name: string, change: (good: string) => string, restRead: Expectation): Fault {
	return fault(name, alterBody(change), { restRead });
}

/** Adds members to the first record of a page, after its own. */
function member(json: string) {
	return (good: string): string => good.replace('}', `,${json}}`);
}

export const json: Group = {
	name: 'Content of JSON',
	faults: [
		ofRest('key __proto__', member('"__proto__":{"polluted":"yes"}'), error(1, 1, /__proto__/)),
		ofRest(
			'JSON nested 10,000 deep',
			member(`"deep":${'['.repeat(10_000)}${']'.repeat(10_000)}`),
			error(1, 1, /more than 65 levels/),
		),
		ofRest(
			'errors in place of the list',
			() => '{"errors":["no access"],"items":null}',
			error(1, 1, /reported an error: .*no access/),
		),
		ofRest('JSON without a list', () => '{"hello":"world"}', error(1, 1, /without a list/)),
		ofRest(
			'fewer records than the page names',
			(good) => good.replace(/"(items|data)":\[\{[^}]*\},/, '"$1":['),
			// The next page may have the others.
			error(3, 2, /not complete/),
		),
	],
};
