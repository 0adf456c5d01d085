import type { INodeProperties } from 'n8n-workflow';
import { at, faulty, texts } from '../../errors/InputError';
import type { InputItem } from '../../form/inputItem';
import { isObject } from '../../values/values';

const ONLY_READS = 'onlyReads';

/** The option of an operation that the contract does not define. Only the builder can turn it on. */
export const onlyReadsOption: INodeProperties = {
	displayName: 'Only Reads',
	name: ONLY_READS,
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
	const options = item.stored('options');
	return isObject(options) ? (options[ONLY_READS] ?? false) : false;
}

/** Whether the builder declares that an operation only reads. */
export function declaresOnlyReads(item: InputItem): boolean {
	return storedOnlyReads(item) === true;
}

/**
 * Checks the option Only Reads.
 *
 * @throws {InputError} naming the option, if it is an expression
 */
export function checkOnlyReads(item: InputItem): void {
	const isExpression = typeof storedOnlyReads(item) !== 'boolean';
	at(ONLY_READS, () => {
		if (isExpression) throw faulty(texts.parameters.byHand);
	});
}
