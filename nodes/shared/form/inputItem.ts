import {
	type IBinaryData,
	type IDataObject,
	type IExecuteFunctions,
	type IGetNodeParameterOptions,
	type INode,
	isExpression,
} from 'n8n-workflow';
import { onceFor } from '../contract/fields';
import { givesNothing, InputError, invalidInput, missing } from '../values/InputError';
import { messageOf, serviceError } from '../errors/ServiceError';
import { isTool } from '../host/nodes';

/** The node of a run: n8n copies it whenever it is read. */
const nodeOf = onceFor((context: IExecuteFunctions) => context.getNode());

/** What all items of a run share of its parameters. */
const shared = onceFor<IExecuteFunctions, Map<string, unknown>>(() => new Map());

/** The names of the columns of all input items of a run. */
const columnsOfRun = onceFor(
	(context: IExecuteFunctions): ReadonlySet<string> =>
		new Set(context.getInputData().flatMap(({ json }) => Object.keys(json))),
);

/** The column of n8n's Google Sheets node with the number of the row. */
export const ROW_NUMBER = 'row_number';

/** An input item of a run, and the node's parameters as they apply to it. */
export class InputItem {
	/** @param index its index among the input items */
	constructor(
		private readonly context: IExecuteFunctions,
		readonly index: number,
	) {}

	get json(): IDataObject {
		return this.context.getInputData()[this.index]?.json ?? {};
	}

	/** The names of the columns that any item of the run has: Excel files have none for a blank cell. */
	get columns(): ReadonlySet<string> {
		return columnsOfRun(this.context);
	}

	/** Whether the run has several input items. */
	get isOneOfSeveral(): boolean {
		return this.context.getInputData().length > 1;
	}

	/** Its number as a row of its sheet, whose first row has the names of the columns. */
	get rowNumber(): number {
		// A CSV file has it as a text.
		const number = Number(this.json[ROW_NUMBER] || Number.NaN);
		return Number.isInteger(number) ? number : this.index + 2;
	}

	get node(): INode {
		return nodeOf(this.context);
	}

	/**
	 * Reads a parameter, with expressions evaluated for this item.
	 *
	 * @throws {Error} if the parameter is missing and there is no fallback
	 * @throws {InputError} if its value holds itself
	 */
	read(name: string, fallback?: unknown, options?: IGetNodeParameterOptions): unknown {
		try {
			return this.context.getNodeParameter(name, this.index, fallback, options);
		} catch (error) {
			// n8n walks through a value without end.
			const isEndless = error instanceof Error && error.name === 'RangeError';
			const text = 'is nested too deeply, or holds itself.';
			throw isEndless ? invalidInput(text).at(name.split('.')) : error;
		}
	}

	/** Reads a parameter that applies to all items of the run, once: the value for the first one. */
	readShared(name: string, fallback: unknown): unknown {
		const known = shared(this.context);
		if (!known.has(name)) known.set(name, this.context.getNodeParameter(name, 0, fallback));
		return known.get(name);
	}

	/** Returns a parameter as the builder stored it: an expression is not evaluated. */
	stored(name: string): unknown {
		return this.node.parameters[name];
	}

	/** Whether a parameter is an expression of the builder, not of a model's argument. */
	isExpression(name: string): boolean {
		return isExpression(this.stored(name)) && !isTool(this.node);
	}

	/** Returns the error for a parameter without a value: an expression may give one for other items. */
	missing(name: string): InputError {
		return this.isExpression(name) ? givesNothing() : missing();
	}

	/** Its files, by the names of their binary fields: `read` fails if n8n no longer has the file. */
	get files() {
		const { context, index } = this;
		const { helpers } = context;
		const { binary = {} } = context.getInputData()[index] ?? {};
		const files = Object.entries(binary).map(([field, { id, data }]) => {
			/** Returns its size in bytes, without reading it. */
			const size = async (): Promise<number> =>
				id === undefined ? (data.length * 3) / 4 : (await helpers.getBinaryMetadata(id)).fileSize;
			const read = async () => await helpers.getBinaryDataBuffer(index, field);
			return [field, { size, read }] as const;
		});
		return new Map(files);
	}

	/**
	 * Has n8n store a file for an output item. Its type is that of its extension, else that of its content:
	 * `prepareBinaryData` in `binary-helper-functions.ts` of n8n-core, line 146. An empty name is none.
	 *
	 * @throws {ServiceError} if n8n cannot store it
	 */
	async storeFile(content: Buffer, name: string): Promise<IBinaryData> {
		try {
			return await this.context.helpers.prepareBinaryData(content, name || undefined);
		} catch (error) {
			throw serviceError('FILE_UNUSABLE/notStored', { reason: messageOf(error) });
		}
	}
}

/** Input items that make one call, or all of a run. */
export type InputItems = readonly [InputItem, ...InputItem[]];
