import { type Field, type Fields, isRecordList, onceFor, type RecordContent } from './fields';

/** Whether a call only reads, or changes data at the service. */
export type Effect = 'read' | 'write';

/** A SOAP operation of the contract (docs/dev/interface.md, section 4.3) or of a description, or one known only by name. */
export interface Operation<E extends Effect = Effect> {
	readonly service: string;
	readonly name: string;
	/** `write` if it is not known. */
	readonly effect: E;
	/** What the service says about the operation. */
	readonly documentation?: string;
	readonly request: RecordContent;
	readonly response: RecordContent;
	/** Whether an answer without a message is a success: its description gives it no output, or nobody knows. */
	readonly canBeSilent?: boolean;
	/** Returns advice for the faults that state their cause, of a call with these values. */
	readonly advice?: (request: Readonly<Record<string, unknown>>) => readonly FaultAdvice[];
}

/** Advice for the faults whose text matches (docs/dev/interface.md, section 7). */
export interface FaultAdvice {
	readonly fault: RegExp;
	readonly text: string;
}

/** Returns the elements of a request that say what it is about, the subject first. */
export function keysOf(request: Fields): Fields {
	return Object.fromEntries(Object.entries(request).filter(([, { isKey }]) => isKey));
}

/** Returns the name of the element that identifies the employee or company. */
export function subjectOf(request: Fields): string {
	return Object.keys(keysOf(request))[0] ?? '';
}

/** Returns the list or the record of a request of the contract, which has at most one: rows of a sheet can be its records. */
export const requestRows = onceFor((request: Fields) => {
	for (const [name, field] of Object.entries(request)) {
		if (field.kind !== 'record' && !isRecordList(field)) continue;
		const isList = field.kind === 'list';
		const of = isList ? field.of : field;
		const { [subjectOf(request)]: subject, ...others } = keysOf(request);
		return {
			name,
			field,
			of,
			/** Whether several rows make one call. */
			isList,
			/** Paths of the fields that can find the record of a row. */
			matchOn: (isList && field.matchOn) || [],
			/** What a row can have: the subject of the request, the fields of its record, and the other keys. */
			fields: { ...(subject && { [subjectOf(request)]: subject }), ...of.fields, ...others },
		};
	}
	return undefined;
});

export type RequestRows = Readonly<NonNullable<ReturnType<typeof requestRows>>>;

/** Returns the name and the field of the only element of an answer; `undefined` if there is none, or several. */
export function resultField({ response }: Operation): readonly [string, Field] | undefined {
	const [only, ...others] = Object.entries(response.fields);
	return others.length === 0 && response.isOpen !== true ? only : undefined;
}
