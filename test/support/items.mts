/** Input items of a run, without a run. */
import type { IExecuteFunctions } from 'n8n-workflow';
import { InputItem, type InputItems } from '../../nodes/shared/form/inputItem.ts';

/** The items with these indexes, of a context that may have no more than what is asked of it. */
export function inputItems(context: object, [first = 0, ...others]: readonly number[]): InputItems {
	const itemAt = (index: number) => new InputItem(context as IExecuteFunctions, index);
	return [itemAt(first), ...others.map(itemAt)];
}

/** An item whose parameters have these values. */
export function itemWith(read: (name: string, fallback: unknown) => unknown): InputItem {
	const getNodeParameter = (name: string, _: number, fallback: unknown) => read(name, fallback);
	const getNode = () => ({ type: 'payroll', parameters: {} });
	const getInputData = () => [{ json: {} }];
	return inputItems({ getNodeParameter, getNode, getInputData }, [0])[0];
}
