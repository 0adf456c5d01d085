/** The README's tables of operations, from the same actions that make the forms. */

/** `PayrollHourCodes` → `Payroll Hour Codes` */
const words = (name) => name.replace(/([a-z])([A-Z])/g, '$1 $2');

const cell = (text) => text.replaceAll('|', '\\|').replace(/\s+/g, ' ');
const code = (text) => `\`${text}\``;

/** A form's fields by display name, a record's with its own; how to give it as JSON is left out. */
function inputFields(properties) {
	return properties
		.filter(
			({ name, type }) => name !== 'options' && type !== 'json' && !/^specify[A-Z]/.test(name),
		)
		.map(({ displayName, type, options }) => {
			if (type === 'collection') return `${displayName} (${names(options)})`;
			if (type !== 'fixedCollection') return displayName;
			const [{ values }] = options;
			return `${displayName}, any number (${names(values[0].options)})`;
		})
		.join(', ');
}

const names = (properties) => properties.map(({ displayName }) => displayName).join(', ');

/** An item's scalars by dotted name. */
function outputFields({ properties }, prefix = '') {
	return Object.entries(properties).flatMap(([name, schema]) =>
		schema.type === 'object' ? outputFields(schema, `${prefix}${name}.`) : [code(prefix + name)],
	);
}

function row(resource, action) {
	const schema = action.outputSchema();
	return [
		resource,
		action.name,
		code(action.operation),
		action.effect === 'write' ? 'Writes' : 'Reads',
		inputFields(action.properties),
		schema === undefined ? 'Every field the service sends' : outputFields(schema).join(', '),
	];
}

const line = (cells) => `| ${cells.map(cell).join(' | ')} |`;

/**
 * Takes the nodes' resources by class name (`{ PayrollCompany: { address: { name, operations } } }`);
 * gives markdown: a heading and a table for each node.
 */
function operationsTable(resourcesByNode) {
	return Object.entries(resourcesByNode)
		.map(([node, resources]) => {
			const rows = Object.values(resources).flatMap(({ name, operations }) =>
				Object.values(operations).map((action) => row(name, action)),
			);
			const head = [
				'Resource',
				'Operation',
				'Service operation',
				'Effect',
				'Input fields',
				'Output fields',
			];
			return [
				`### ${words(node)}`,
				'',
				line(head),
				line(head.map(() => '---')),
				...rows.map(line),
			].join('\n');
		})
		.join('\n\n');
}

module.exports = { operationsTable };
