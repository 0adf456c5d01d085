/** Values of the elements of random records. */
import { escapeXml } from '../../../dev/sandbox/xml.mts';
import { xmlText } from '../arbitraries.mts';
import type { ComplexType, Element, Json, Part } from './records.mts';
import {
	PLAIN,
	tag,
	untypedChildren,
	type Context,
	type Space,
	type Style,
	type Value,
} from './types.mts';

/** An element of a value; of `xs:any` if it has no definition. */
interface Emitted {
	readonly element: Element | undefined;
	readonly name: string;
	readonly space: Space;
	readonly value: Value;
}

const NIL: Value = {
	given: null,
	read: null,
	sent: { attributes: ' xsi:nil="1"', content: '' },
	answer: { attributes: ' xsi:nil="1"', content: '' },
};

/** From this number of elements or levels on, only what is required gets a value. */
export const isEnough = ({ elements }: Context, level: number): boolean =>
	elements > 60 || level > 8;

/** The values of a record, while they are added. */
interface Fields {
	readonly given: Json;
	readonly read: Json;
}

function emitElement(element: Element, context: Context, level: number, times: number): Emitted[] {
	const { type, name, space, isNillable, isReference } = element;
	const { kinds, dice } = context;
	return Array.from({ length: times }, () => {
		context.elements += 1;
		if (isReference) kinds.add('reference to an element');
		if (space === '') kinds.add('unqualified element');
		if (space === 'b') kinds.add('element of another namespace');
		if (name in {}) kinds.add('inherited name');
		if (level > 3) kinds.add('deep record');
		const isNil = isNillable && type.canBeNil && dice.chance(25);
		if (isNil) kinds.add('nil');
		return { element, name, space, value: isNil ? NIL : type.value(context, space, level + 1) };
	});
}

/** Elements in the place of `xs:any`. */
function emitOthers(context: Context, space: Space): Emitted[] {
	return Array.from({ length: context.dice.number(0, 2) }, (_, i) => {
		context.kinds.add('any element');
		const value = untypedChildren(['Inner'], space, context);
		return { element: undefined, name: `Other${i}`, space, value };
	});
}

function emit(part: Part, context: Context, space: Space, level: number): Emitted[] {
	const { dice, kinds } = context;
	const times = (min: number, max: number): number =>
		isEnough(context, level) ? min : dice.number(min, Math.min(max, min + 2));
	if (part.kind === 'any') return emitOthers(context, space);
	if (part.kind === 'element') {
		const [element] = part.elements;
		return emitElement(element, context, level, times(element.min, element.max));
	}
	const choices = part.kind === 'choice' ? times(part.min, 1) : times(0, Infinity);
	if (choices > 0) kinds.add(part.kind);
	return Array.from({ length: choices }, () => dice.pick(part.elements)).flatMap((element) =>
		emitElement(element, context, level, times(element.min, element.max)),
	);
}

function addField(
	{ name, isNillable, min }: Element,
	part: Part,
	emitted: Emitted | undefined,
	{ given, read }: Fields,
	{ dice, kinds }: Context,
): void {
	if (emitted === undefined) {
		if (!isNillable && dice.chance(10)) given[name] = null;
		return;
	}
	const { value } = emitted;
	const isRequired = part.kind === 'element' && min > 0;
	read[name] = value.read;
	// A required element that is not given is nil.
	if (isRequired && value === NIL && dice.chance(50)) {
		kinds.add('required element that is not given');
		return;
	}
	given[name] = value.given;
}

/** @param space namespace of the element around the fields */
export function fieldsOf(
	type: ComplexType,
	context: Context,
	space: Space,
	level: number,
): Value<Json> {
	const fields: Fields = { given: {}, read: {} };
	const sent: Emitted[] = [];
	const answered: Emitted[] = [];
	for (const part of type.allParts) {
		const emitted = emit(part, context, space, level);
		answered.push(...emitted);
		for (const element of part.elements) {
			const own = emitted.filter((one) => one.element === element);
			sent.push(...own);
			if (part.kind === 'repeated choice' || element.max > 1) {
				if (own.length === 0) continue;
				context.kinds.add('repeated element');
				fields.given[element.name] = own.map(({ value }) => value.given);
				fields.read[element.name] = own.map(({ value }) => value.read);
			} else addField(element, part, own[0], fields, context);
		}
		for (const { name, value } of emitted.filter(({ element }) => element === undefined)) {
			fields.given[name] = value.given;
			fields.read[name] = value.read;
		}
		if (part.kind === 'any') sent.push(...emitted);
	}
	return { ...fields, ...written(type, context, fields, sent, answered) };
}

/** Writes elements, and before them the text of mixed content. */
function written(
	{ isMixed }: ComplexType,
	{ dice, kinds, style }: Context,
	{ given, read }: Fields,
	sent: readonly Emitted[],
	answered: readonly Emitted[],
): Pick<Value, 'answer' | 'sent'> {
	const text = isMixed ? dice.of(xmlText) : '';
	if (isMixed) {
		kinds.add('mixed content');
		given['#text'] = text;
		if (text.trim() !== '' || answered.length === 0) read['#text'] = text;
	}
	const inStyle = (own: Style, all: readonly Emitted[], side: 'answer' | 'sent') => {
		const between = isMixed ? '' : own.between;
		const elements = all.map(
			({ space, name, value }) => between + tag(own, space, name, value[side]),
		);
		return { attributes: '', content: escapeXml(text) + elements.join('') };
	};
	return { sent: inStyle(PLAIN, sent, 'sent'), answer: inStyle(style, answered, 'answer') };
}
