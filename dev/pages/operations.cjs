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

/** What a reader wants of an operation, what it does if that depends, how it is undone, and an example, by its title. */
const WANTED = {
	'Payroll Employee Address: Create': {
		want: 'Give employees an address',
		undo: 'By hand',
		example: 'address-change-with-approval',
	},
	'Payroll Employee Address: Get Many': {
		want: 'See where employees live',
		example: 'address-agent',
	},
	'Payroll Employee Cost Center: Get Many': {
		want: 'Read cost centers',
		example: 'cost-center-totals',
	},
	'Payroll Employee Cost Center: Update': {
		want: 'Change cost centers',
		undo: '[With the audit trail](docs/examples.md#cost-center-changes-with-an-audit-trail)',
		example: 'move-cost-center',
	},
	'Payroll Employee Other Operation: Call': {
		want: 'Call another operation on employees',
		does: 'Either',
		undo: 'Depends',
		example: 'employees-of-all-companies',
	},
	'Payroll Company Address: Update': {
		want: "Change a company's address",
		undo: 'By hand',
	},
	'Payroll Company Connection: Check': {
		want: 'Check the connection',
		example: 'keep-connection-alive',
	},
	'Payroll Company Connection: Revoke': {
		want: 'End the connection',
		undo: 'Connect again',
	},
	'Payroll Company Other List: Get Many': { want: 'List companies, employees, departments and more' },
	'Payroll Company Other Operation: Call': {
		want: 'Call another operation on companies',
		does: 'Either',
		undo: 'Depends',
	},
	'Payroll Hour Codes Hour Code: Get Many': { want: 'List hour codes' },
};

/**
 * Takes the nodes' resources by class name (`{ PayrollCompany: { address: { name, operations } } }`); returns a table of all
 * operations in Markdown, a row for each operation.
 */
function operationsTable(resourcesByNode) {
	const rows = offersOf(resourcesByNode).map(({ node, action, label, anchor: id, title }) => {
		const { want = action.action, does = effect(action), undo, example } = WANTED[title] ?? {};
		return [
			want,
			`${node} → [${label}](docs/operations.md#${id})`,
			does,
			undo ?? '–',
			example ? `[${example}](examples/${example}.json)` : '–',
		];
	});
	return table(['I want to', 'Node → operation', 'Effect', 'Can be undone', 'Example'], rows);
}

const KINDS = {
	boolean: 'true or false',
	json: 'JSON',
	number: 'number',
	options: 'choice',
	resourceLocator: 'choice from a list, or text',
	string: 'text',
};

/** Kinds that the label and the description of a field already tell. */
const TOLD = ['boolean', 'collection', 'fixedCollection', 'json', 'resourceMapper', 'string'];

const CHOICES = { true: 'on', false: 'off', '': 'empty' };

/** `, 1 to 50` or `, at least 1`, if a number has bounds. */
function range({ minValue, maxValue } = {}) {
	if (minValue === undefined) return '';
	return maxValue === undefined ? `, at least ${minValue}` : `, ${minValue} to ${maxValue}`;
}

/** The kind of a field; numbers are typed into text fields. */
const kindOf = ({ type, typeOptions }) =>
	typeOptions?.numberPrecision === undefined ? type : 'number';

/** What can be entered in a field, such as `number, at least 1, 50 by default`. */
function value(field) {
	const kind = kindOf(field);
	const byDefault = typeof field.default === 'number' ? `, ${field.default} by default` : '';
	return KINDS[kind] + range(field.typeOptions) + byDefault;
}

const sentence = (text) =>
	text.replace(/^./, (first) => first.toUpperCase()).replace(/[^.]$/, '$&.');

/** What a field means and takes. */
function meaning(field) {
	const { type, options, description = '', noDataExpression = false } = field;
	const choices = type === 'options' && `one of ${options.map(({ name }) => name).join(', ')}`;
	const kind =
		choices || (!TOLD.includes(kindOf(field)) && value(field) !== KINDS.number && value(field));
	// The fields inside a resource mapper do take expressions.
	const isFixed = noDataExpression && type !== 'resourceMapper';
	// The form has the rest, where it is needed.
	const [first] = description.split(/(?<=\.) (?=[A-Z])/);
	return [kind, first, isFixed && 'No expression'].filter(Boolean).map(sentence).join(' ');
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

const HEAD = ['Field', 'Parameter', 'Meaning'];

const fieldRow = (field, outer = []) => [
	[...outer.map((label) => (label === 'Options' ? label : '')), field.displayName]
		.join(' → ')
		.trim(),
	code(field.name),
	meaning(field),
];

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
			// The default may depend on the operation.
			const { default: _, ...same } = field;
			const row = fieldRow(same, outer);
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
		const [{ field, row }] = users;
		const [name, parameter] = row;
		const { default: _, ...same } = field;
		return [
			name,
			parameter,
			value(same),
			defaultOf(users),
			usersText(users, offers),
			field.description,
		];
	});
	rows.sort(([first], [second]) => first.localeCompare(second));
	return [
		'## Options of every operation',
		table(['Option', 'Parameter', 'Value', 'Default', 'Operations', 'Meaning'], rows),
	];
}

const link = ({ title, anchor: id }) => `[${title}](#${id})`;

/** The rows of a form, without the common options. */
function formRows({ properties }, common) {
	const rows = (field, outer) => {
		const { default: _, ...same } = field;
		if (common.has(fieldRow(same, outer).join('\n'))) return [];
		const inner = fieldsIn(field);
		const innerRows = () => inner.flatMap((one) => rows(one, [field.displayName]));
		return isOptions(field) ? innerRows() : [fieldRow(field, outer), ...innerRows()];
	};
	return properties.filter(({ type }) => type !== 'notice').flatMap((field) => rows(field));
}

/** So many rows that two forms share stand in the first of them only. */
const SHARED = 3;

/** The form of an operation: what an earlier form has as well, by its labels, and the rest as a table. */
function formText(own, earlier, common) {
	const rowsOf = ({ action }) => formRows(action, common);
	const isIn = (rows) => (row) => rows.some((other) => other.join() === row.join());
	const rows = rowsOf(own);
	const shared = earlier.map((one) => [one, rows.filter(isIn(rowsOf(one)))]);
	const [one, same] = shared.reduce(
		(most, other) => (other[1].length > most[1].length ? other : most),
		[own, []],
	);
	if (same.length < SHARED) return [table(HEAD, rows)];
	const rest = rows.filter((row) => !isIn(same)(row));
	const labels = same.map(([label]) => label.replace(/.* → /, ''));
	const asThere = `As in ${link(one)}: ${labels.join(', ')}.`;
	return rest.length === 0 ? [asThere] : [asThere, table(HEAD, rest)];
}

/** Each scalar of an item, by its dotted name. */
function itemFields({ properties }, prefix = '') {
	return Object.entries(properties).flatMap(([name, schema]) =>
		schema.type === 'object' && schema.properties.ok === undefined
			? itemFields(schema, `${prefix}${name}.`)
			: [code(prefix + name)],
	);
}

/** What items also have, by the title of their operation. */
const LOST = 'after [a lost answer](batches.md#when-an-answer-is-lost), `outcome`';
const MORE_FIELDS = {
	'Payroll Employee Address: Create':
		`with *Skip If It Exists*, \`created\`, and all fields of an address that exists already; ${LOST}`,
	'Payroll Employee Cost Center: Update':
		`with *Keep Other Cost Centers*, \`written\`, \`changes\`, \`changed\`, \`added\`, \`kept\`; without *Total Must Be 100 %*, \`percentageTotal\`; ${LOST}`,
	'Payroll Company Other List: Get Many': 'the parameters of the path, unless the record has a field of the same name',
	'Payroll Company Connection: Check': '[what they say](credentials.md#check-the-connection)',
};

function itemsText({ title, action: { outputSchema } }) {
	const schema = outputSchema();
	const others = schema.additionalProperties && 'every other field that the service sends';
	return `Items: ${[itemFields(schema).join(', '), others, MORE_FIELDS[title]].filter(Boolean).join('; ')}.`;
}

/**
 * Takes the same as {@link operationsTable}; returns, in Markdown, the options that operations share, and a section for each
 * operation with the rest of its form and its items.
 */
function operationsPages(resourcesByNode) {
	const offers = offersOf(resourcesByNode);
	const common = commonOptions(offers);
	const section = (one) => [
		`### ${one.title}`,
		`${one.action.description}. ${effect(one.action)} (${code(one.action.operation)}).`,
		...formText(one, offers.slice(0, offers.indexOf(one)), common),
		itemsText(one),
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
