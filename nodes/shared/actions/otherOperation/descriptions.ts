/** The lists that the editor makes of a service's description: operations, and parameters of one. */
import type { INodeListSearchItems, ResourceMapperFields } from 'n8n-workflow';
import { soapOperations } from '../../contract/operations';
import { texts } from '../../errors/catalogue';
import { truncate } from '../../errors/words';
import { isTool } from '../../host/workarounds';
import type { ListSearch, MapperMethod } from '../../run/action';
import { fetchWsdl } from '../../soap/wsdl/fetchWsdl';
import type { OperationSummary } from '../../soap/wsdl/Wsdl';
import { atDesignTime } from '../designTime';
import { editedOperation } from './customForm';
import { mapperFields } from './mapper';

/** An entry such as "CostCenter_Get (has its own form): Gets all cost centers". */
function entryOf(
	service: string,
	{ name, documentation, unsupported }: OperationSummary,
): INodeListSearchItems {
	const hasForm = soapOperations.some((one) => one.name === name && one.service === service);
	const notes = [
		...(hasForm ? ['has its own form'] : []),
		...(unsupported === undefined ? [] : ['only by name']),
	];
	const mark = notes.length === 0 ? '' : ` (${notes.join(', ')})`;
	const text = unsupported ?? documentation;
	return {
		// n8n shows no description in such a list.
		name: `${name}${mark}${documentation === undefined ? '' : `: ${truncate(documentation)}`}`,
		value: name,
		...(text !== undefined && { description: text }),
	};
}

/** Returns the method that lists a service's operations, in alphabetical order. */
export function operationList(service: string): ListSearch {
	return async function (filter = '') {
		const { operations } = await atDesignTime(
			this,
			async (access) => await fetchWsdl(access, service),
		);
		const entries = operations.map((operation) => entryOf(service, operation));
		const wanted = filter.trim().toLowerCase();
		return { results: entries.filter(({ name }) => name.toLowerCase().includes(wanted)) };
	};
}

/** Returns the method that lists the parameters of the operation that is chosen in the form. */
export function operationParameters(service: string): MapperMethod {
	return async function (): Promise<ResourceMapperFields> {
		const name = editedOperation(this);
		if (name === undefined) {
			return { fields: [], emptyFieldsNotice: texts.editor.noOperation.title };
		}
		try {
			return await atDesignTime(this, async (access) => {
				const { request } = (await fetchWsdl(access, service)).operation(name);
				return { fields: mapperFields(request, isTool(this)) };
			});
		} catch (error) {
			const { message, description } = error as Error & { description?: string | null };
			const sentences = [message, description ?? ''].filter((text) => text !== '');
			return { fields: [], emptyFieldsNotice: sentences.join('. ') };
		}
	};
}
