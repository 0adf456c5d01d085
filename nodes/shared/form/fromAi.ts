import type { ResourceMapperField } from 'n8n-workflow';

/** What n8n's editor puts before an expression that lets the model define a parameter. */
const OVERRIDE = '/*n8n-auto-generated-fromAI-override*/';

/** Maximum length of the name of a tool's argument, in characters. */
const MAX_KEY = 64;

/** The types of `$fromAI` that are not texts, by the type of the field. */
const TYPES: Readonly<Record<string, string>> = {
	array: 'json',
	boolean: 'boolean',
	number: 'number',
	object: 'json',
};

/**
 * Returns the expression that lets an AI model define a field of a tool: unlike the one of the
 * editor's button, it has a description.
 *
 * @param description what the model may enter; characters that would end the expression are replaced
 */
export function fromAi(
	{ id, type = 'string' }: Pick<ResourceMapperField, 'id' | 'type'>,
	description: string,
): string {
	const key = id.replace(/[^A-Za-z0-9_-]/g, '_').slice(-MAX_KEY);
	const text = description
		.replace(/[\\`]/g, "'")
		.replaceAll('$', '')
		.replace(/([{}])(?=[{}])/g, '$1 ');
	return `={{ ${OVERRIDE} $fromAI('${key}', \`${text}\`, '${TYPES[type] ?? 'string'}') }}`;
}
