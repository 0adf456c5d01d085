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

/** A resource's name and an action, as people and as links name them. */
const offer = (node, resource, action) => ({
	node: words(node),
	action,
	label: `${resource}: ${action.name}`,
	anchor: anchor(words(node), resource, action.name),
	title: `${words(node)} ${resource}: ${action.name}`,
});

/** All operations, in the order of the editor. */
const offersOf = (resourcesByNode) =>
	Object.entries(resourcesByNode).flatMap(([node, resources]) =>
		Object.values(resources).flatMap(({ name, operations }) =>
			Object.values(operations).map((action) => offer(node, name, action)),
		),
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
 * operations in Markdown, a row for each node.
 */
function operationsTable(resourcesByNode) {
	const offers = offersOf(resourcesByNode);
	const links = (node, which) =>
		offers
			.filter((offer) => offer.node === node && effect(offer.action) === which)
			.map(({ label, anchor: id }) => `[${label}](docs/operations.md#${id})`)
			.join(', ');
	const rows = [...new Set(offers.map(({ node }) => node))].map((node) => [
		`**${node}**`,
		links(node, 'Reads'),
		links(node, 'Writes'),
	]);
	return table(['Node', 'Reads', 'Writes'], rows);
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

/** `{ returnAll: [false] }` → `'Return All' is off`; `{ '/item.mode': ['list'] }` → `'Item' is 'From List'` */
function conditions(shown = {}, verb, properties) {
	return Object.entries(shown).map(([path, values]) => {
		const [name] = path.replace(/^\//, '').split('.');
		const {
			displayName,
			modes = [],
			options = [],
		} = properties.find((property) => property.name === name);
		const choices = values.map((value) => {
			const choice =
				modes.find((mode) => mode.name === value) ??
				options.find((option) => option.value === value);
			return choice ? `'${choice.displayName ?? choice.name}'` : CHOICES[value];
		});
		return `'${displayName}' ${verb} ${choices.join(' or ')}`;
	});
}

const CHOICES = { true: 'on', false: 'off', '': 'empty' };

/** What a field means, and when the form shows it. */
function meaning({ description, hint, displayOptions: { show, hide } = {} }, properties) {
	const all = [...conditions(show, 'is', properties), ...conditions(hide, 'is not', properties)];
	const shown = all.length === 0 ? undefined : `Shown if ${all.join(' and ')}.`;
	const texts = [description, hint, shown].filter((text) => text !== undefined);
	return texts
		.map((text, at) => (at < texts.length - 1 ? text.replace(/[^.]$/, '$&.') : text))
		.join(' ');
}

/** `, 1 to 50` or `, at least 1`, if a number has bounds. */
function range({ minValue, maxValue } = {}) {
	if (minValue === undefined) return '';
	return maxValue === undefined ? `, at least ${minValue}` : `, ${minValue} to ${maxValue}`;
}

/** What can be entered in a field, such as `choice: From Input Items, Using JSON`. */
function value({ type, options, typeOptions, noDataExpression = false }) {
	const isList = type === 'options' || type === 'multiOptions';
	const choices = isList ? `: ${options.map(({ name }) => name).join(', ')}` : range(typeOptions);
	// The fields inside a resource mapper do take expressions.
	const isFixed = noDataExpression && type !== 'resourceMapper';
	// Numbers are typed into text fields.
	const kind = typeOptions?.numberPrecision === undefined ? type : 'number';
	return KINDS[kind] + choices + (isFixed ? '; no expression' : '');
}

/** The fields of a collection that the editor offers, without those that are only shown if a workflow has them stored. */
const offered = (fields) =>
	fields.filter(({ name, displayOptions }) => displayOptions?.show?.[name] === undefined);

/** The fields inside a field. */
function fieldsIn({ type, options = [] }) {
	if (type === 'collection') return offered(options);
	if (type !== 'fixedCollection') return [];
	return options[0].values.flatMap((one) =>
		one.type === 'collection' ? offered(one.options) : [one],
	);
}

const HEAD = ['Field', 'Parameter', 'Value', 'Meaning'];

function fieldRow(field, properties, outer = []) {
	const names = [...outer, field.displayName];
	return [names.join(' → '), code(field.name), value(field), meaning(field, properties)];
}

const isOptions = ({ name }) => name === 'options';

/** The switches and the options of an operation, each as `[field, labels of the fields around it]`. */
const optionsOf = ({ properties }) => [
	...properties.filter(({ type }) => type === 'boolean').map((field) => [field, []]),
	...properties
		.filter(isOptions)
		.flatMap((all) => fieldsIn(all).map((field) => [field, [all.displayName]])),
];

/** Maps each key to the values that come with it. */
function grouped(entries) {
	const groups = new Map();
	for (const [key, one] of entries) groups.set(key, [...(groups.get(key) ?? []), one]);
	return groups;
}

/** An option is common if at least so many operations have it; its row then stands in one table for all of them. */
const COMMON = 3;

/** Maps the row of each common option to the operations that have it, each with its field. */
function commonOptions(offers) {
	const users = offers.flatMap((one) =>
		optionsOf(one.action).map(([field, outer]) => {
			const row = fieldRow(field, one.action.properties, outer);
			return [row.join('\n'), { one, field, row }];
		}),
	);
	return new Map([...grouped(users)].filter(([, found]) => found.length >= COMMON));
}

/** The default of an option, such as `10 (reads), 1 (writes)` if it depends on the operation's effect. */
function defaultOf(users) {
	const defaults = (wanted) => {
		const found = users
			.filter(({ one }) => one.action.effect === wanted)
			.map(({ field }) => field.default);
		return [...new Set(found.map((one) => CHOICES[one] ?? String(one)))];
	};
	const [reads, writes] = [defaults('read'), defaults('write')];
	const all = new Set([...reads, ...writes]);
	if (all.size > 1) return `${reads.join(' or ')} (reads), ${writes.join(' or ')} (writes)`;
	return [...all].join();
}

/** Which operations have an option, such as `All that write, except Connection: Revoke`. */
function usersText(users, offers) {
	const having = new Set(users.map(({ one }) => one));
	const ofEffect = (wanted) => offers.filter(({ action }) => action.effect === wanted);
	const groups = [
		['All that read', ofEffect('read')],
		['All that write', ofEffect('write')],
		['All', offers],
	];
	const [name, group] = groups.find(([, all]) => [...having].every((one) => all.includes(one)));
	const others = group.filter((one) => !having.has(one)).map(({ label }) => label);
	return others.length === 0 ? name : `${name}, except ${others.join(', ')}`;
}

function optionsSection(common, offers) {
	const rows = [...common.values()].map((users) => {
		const [name, parameter, kind, text] = users[0].row;
		return [name, parameter, kind, defaultOf(users), usersText(users, offers), text];
	});
	rows.sort(([first], [second]) => first.localeCompare(second));
	return [
		'## Options of every operation',
		table(['Option', 'Parameter', 'Value', 'Default', 'Operations', 'Meaning'], rows),
	];
}

const link = ({ title, anchor: id }) => `[${title}](#${id})`;

/** The form of an operation, without the common options. */
function formTable({ properties }, common) {
	const rows = (field, outer) => {
		const row = fieldRow(field, properties, outer);
		if (common.has(row.join('\n'))) return [];
		const inner = fieldsIn(field);
		const innerRows = () => inner.flatMap((one) => rows(one, [field.displayName]));
		if (isOptions(field)) return innerRows();
		const [name, parameter, kind, text] = row;
		const byDefault = typeof field.default === 'number' ? `, ${field.default} by default` : '';
		return [[name, parameter, kind + byDefault, text], ...innerRows()];
	};
	return table(
		HEAD,
		properties.filter(({ type }) => type !== 'notice').flatMap((field) => rows(field)),
	);
}

/** A form as text, the same for two forms that differ only in their examples. */
const formText = ({ action }) =>
	formTable(action, new Map()).replace(/Example: <code>.*?<\/code>/g, '');

/** Each scalar of an item, by its dotted name, with its type. */
function itemFields({ properties }, prefix = '') {
	return Object.entries(properties).flatMap(([name, schema]) =>
		schema.type === 'object'
			? itemFields(schema, `${prefix}${name}.`)
			: [`${code(prefix + name)} (${schema.type})`],
	);
}

function itemsText({ outputSchema }) {
	const schema = outputSchema();
	const others = schema.additionalProperties ? ', and every other field that the service sends' : '';
	return `Items: ${itemFields(schema).join(', ')}${others}.`;
}

/**
 * Takes the same as {@link operationsTable}; returns, in Markdown, the options that operations share, and a section for each
 * operation with the rest of its form and its items.
 */
function operationsPages(resourcesByNode) {
	const offers = offersOf(resourcesByNode);
	const common = commonOptions(offers);
	const byForm = grouped(offers.map((one) => [formText(one), one]));
	const firstWithForm = (one) => byForm.get(formText(one))[0];
	const ownForms = offers.filter((one) => firstWithForm(one) === one);
	const section = (one) => [
		`### ${one.title}`,
		`${one.action.description}. ${effect(one.action)} (${code(one.action.operation)}).`,
		ownForms.includes(one)
			? formTable(one.action, common)
			: `The form is that of ${link(firstWithForm(one))}.`,
		itemsText(one.action),
	];
	return [
		...optionsSection(common, offers),
		...[...grouped(offers.map((one) => [one.node, one]))].flatMap(([node, ofNode]) => [
			`## ${node}`,
			...ofNode.flatMap(section),
		]),
	].join('\n\n');
}

module.exports = { operationsTable, operationsPages };
