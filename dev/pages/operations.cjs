/**
 * Generates the table of operations in README.md and the sections of docs/operations.md from the actions that define the
 * forms.
 */

/** `PayrollHourCodes` → `Payroll Hour Codes` */
const words = (name) => name.replace(/([a-z])([A-Z])/g, '$1 $2');

const cell = (text) => String(text).replaceAll('|', '\\|').replace(/\s+/g, ' ');
const code = (text) => `\`${text}\``;
const line = (cells) => `| ${cells.map(cell).join(' | ')} |`;
const table = (head, rows) =>
	[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');

/** A node's operations: `[resource's name, action]`, in the order of the editor. */
const actionsOf = (resources) =>
	Object.values(resources).flatMap(({ name, operations }) =>
		Object.values(operations).map((action) => [name, action]),
	);

const effect = (action) => (action.effect === 'write' ? 'Writes' : 'Reads');

/** `Payroll Company`, `Address`, `Update` → the heading's anchor on GitHub. */
const anchor = (...names) =>
	names
		.join(' ')
		.toLowerCase()
		.replace(/[^\w -]/g, '')
		.replaceAll(' ', '-');

/**
 * Takes the nodes' resources by class name (`{ PayrollCompany: { address: { name, operations } } }`); returns a table of all
 * operations in Markdown.
 */
function operationsTable(resourcesByNode) {
	const rows = Object.entries(resourcesByNode).flatMap(([node, resources]) =>
		actionsOf(resources).map(([resource, action]) => [
			words(node),
			`[${resource}: ${action.name}](docs/operations.md#${anchor(words(node), resource, action.name)})`,
			code(action.operation),
			effect(action),
		]),
	);
	return table(['Node', 'Operation', 'Service operation', 'Effect'], rows);
}

const KINDS = {
	boolean: 'true or false',
	collection: 'fields, added on demand',
	fixedCollection: 'rows, any number',
	json: 'JSON',
	multiOptions: 'choices',
	number: 'number',
	options: 'choice',
	resourceLocator: 'choice from a list, or text',
	resourceMapper: 'fields of the operation',
	string: 'text',
};

/** `{ returnAll: [false] }` → `Return All is false`; `{ '/item.mode': ['list'] }` → `Item is From List` */
function conditions(shown = {}, verb, properties) {
	return Object.entries(shown).map(([path, values]) => {
		const [name] = path.replace(/^\//, '').split('.');
		const other = properties.find((property) => property.name === name);
		const choices = values.map((value) => {
			const mode = other?.modes?.find((one) => one.name === value)?.displayName;
			return mode ?? other?.options?.find((option) => option.value === value)?.name ?? value;
		});
		return `${other?.displayName ?? name} ${verb} ${choices.join(' or ')}`;
	});
}

/** When a field is shown, such as ` (if Return All is false)`. */
function condition({ displayOptions: { show, hide } = {} }, properties) {
	const all = [...conditions(show, 'is', properties), ...conditions(hide, 'is not', properties)];
	return all.length === 0 ? '' : ` (if ${all.join(' and ')})`;
}

/** The fields of a collection that the editor offers, without those that are only shown if a workflow has them stored. */
const offered = (fields) => fields.filter(({ name, displayOptions }) => displayOptions?.show?.[name] === undefined);

/** A row for a field, and one for each field inside it. */
function fieldRows(property, properties, outer = []) {
	const { displayName, name, type, description = '', options = [] } = property;
	const names = [...outer, displayName];
	const isList = type === 'options' || type === 'multiOptions';
	const choices = isList ? `: ${options.map((option) => option.name).join(', ')}` : '';
	const row = [
		names.join(' → '),
		code(name),
		`${KINDS[type] ?? type}${choices}`,
		`${description}${condition(property, properties)}`,
	];
	const inner =
		type === 'collection'
			? offered(options)
			: type === 'fixedCollection'
				? options[0].values.flatMap((value) => (value.type === 'collection' ? offered(value.options) : [value]))
				: [];
	return [row, ...inner.flatMap((field) => fieldRows(field, [], names))];
}

/** A row for each scalar of an item, by its dotted name. */
function itemRows({ properties }, prefix = '') {
	return Object.entries(properties).flatMap(([name, schema]) =>
		schema.type === 'object'
			? itemRows(schema, `${prefix}${name}.`)
			: [[code(prefix + name), schema.type]],
	);
}

function page(node, resource, action) {
	const schema = action.outputSchema();
	const form = action.properties.filter(({ type }) => type !== 'notice');
	return [
		`### ${words(node)} ${resource}: ${action.name}`,
		`${action.description}. ${effect(action)} (${code(action.operation)}).`,
		table(
			['Field', 'Parameter', 'Value', 'Meaning'],
			form.flatMap((property) => fieldRows(property, action.properties)),
		),
		schema === undefined
			? 'Items: every field that the service sends.'
			: `Items:\n\n${table(['Field', 'Type'], itemRows(schema))}`,
	].join('\n\n');
}

/** Takes the same as {@link operationsTable}; returns a section for each operation, with its form and its items, in Markdown. */
function operationsPages(resourcesByNode) {
	return Object.entries(resourcesByNode)
		.flatMap(([node, resources]) => [
			`## ${words(node)}`,
			...actionsOf(resources).map(([resource, action]) => page(node, resource, action)),
		])
		.join('\n\n');
}

module.exports = { operationsTable, operationsPages };
