import type { IDataObject } from 'n8n-workflow';
import type { Field, Fields } from '../contract/fields';

/** A JSON schema that n8n's editor shows before the first run. */
export type OutputSchema = IDataObject;

function schemaOf(field: Field): OutputSchema {
	switch (field.kind) {
		case 'int':
			return { type: 'integer' };
		case 'decimal':
			return { type: 'number' };
		case 'boolean':
			return { type: 'boolean' };
		case 'record':
			return { type: 'object', properties: propertySchemas(field.fields) };
		case 'list':
			return { type: 'array', items: schemaOf(field.of) };
		default:
			return { type: 'string' };
	}
}

function propertySchemas(fields: Fields): IDataObject {
	return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)]));
}

/** Returns the schema of items with these fields. */
export function itemSchema(fields: Fields): OutputSchema {
	return { type: 'object', properties: propertySchemas(fields), version: 1 };
}

/** Returns the schema of items of which only these fields are known. n8n asks for one in any case. */
export function openSchema(fields: Fields): OutputSchema {
	return { ...itemSchema(fields), additionalProperties: true };
}
