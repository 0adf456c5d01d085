/**
 * Generates the table of operations in README.md and the sections of docs/operations.md from the actions that define the
 * forms.
 */
const { actsIfAdded, code, formFields, optionsOf, valueOf } = require('./fields.cjs');

/** `PayrollHourCodes` → `Payroll Hour Codes` */
const words = (name) => name.replace(/([a-z])([A-Z])/g, '$1 $2');

const cell = (text) => String(text).replaceAll('|', '\\|').replace(/\s+/g, ' ');
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

/** What an operation does at the service, such as `Reads (`CostCenter_Get`).` */
const effectText = (action) => {
	if (action.kind === 'chosen') return 'Writes, unless the option *Only Reads* is added.';
	// Check and Revoke are several requests.
	const requests = action.operation.includes('/connect/') ? '' : ` (${code(action.operation)})`;
	return `${effect(action)}${requests}.`;
};

/** `Payroll Company`, `Address`, `Update` → the heading's anchor on GitHub. */
const anchor = (...names) =>
	names
		.join(' ')
		.toLowerCase()
		.replace(/[^\w -]/g, '')
		.replaceAll(' ', '-');

/**
 * What a reader wants of each operation, what it does if that depends, how it is undone, and an example, by its title. An
 * operation without an entry, and an entry without an operation, are errors.
 */
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
		example: 'cost-centers-from-a-sheet',
	},
	'Payroll Employee Other Operation: Call': {
		want: 'Call another operation on employees',
		does: 'Either',
		undo: 'Depends',
		example: 'employees-of-all-companies',
	},
	'Payroll Company Address: Update': {
		want: "Overwrite a company's address",
		undo: "[If you kept the old one](docs/examples.md#before-you-overwrite-a-companys-address)",
	},
	'Payroll Company Connection: Check': {
		want: 'Check the connection',
		example: 'keep-connection-alive',
	},
	'Payroll Company Connection: Revoke': {
		want: 'End the connection',
		undo: 'Connect again',
	},
	'Payroll Company Other List: Get Many': {
		want: 'List companies, employees, departments and more',
	},
	'Payroll Company Other Operation: Call': {
		want: 'Call another operation on companies',
		does: 'Either',
		undo: 'Depends',
	},
	'Payroll Hour Codes Hour Code: Get Many': { want: 'List hour codes' },
};

/** @throws Error when `WANTED` does not have exactly the given operations */
function assertWanted(offers) {
	const titles = offers.map(({ title }) => title);
	const missing = titles.filter((title) => WANTED[title] === undefined);
	const unknown = Object.keys(WANTED).filter((title) => !titles.includes(title));
	const problems = [
		...missing.map((title) => `an entry '${title}' is missing`),
		...unknown.map((title) => `no node offers '${title}'`),
	];
	if (problems.length > 0)
		throw new Error(`WANTED of dev/pages/operations.cjs: ${problems.join('; ')}`);
}

/**
 * Takes the nodes' resources by class name (`{ PayrollCompany: { address: { name, operations } } }`); returns a table of all
 * operations in Markdown, a row for each operation.
 *
 * @throws Error when `WANTED` does not have exactly these operations
 */
function operationsTable(resourcesByNode) {
	const offers = offersOf(resourcesByNode);
	assertWanted(offers);
	const rows = offers.map(({ node, action, label, anchor: id, title }) => {
		const { want, does = effect(action), undo, example } = WANTED[title];
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

/** Maps each key to the values that come with it. */
function grouped(entries) {
	const groups = new Map();
	for (const [key, one] of entries) groups.set(key, [...(groups.get(key) ?? []), one]);
	return groups;
}

const CHOICES = { true: 'on', false: 'off', '': 'empty' };

/** An option is common if at least so many operations have it; its row then stands in one table for all of them. */
const COMMON = 3;

/** Maps the parameter of each common option to the operations that have it, each with its field. */
function commonOptions(offers) {
	const users = offers.flatMap((one) =>
		optionsOf(one.action).map((field) => [field.name, { one, field }]),
	);
	return new Map([...grouped(users)].filter(([, found]) => found.length >= COMMON));
}

/** The value of an option that is not added, such as `0 (reads), 1 (writes)` if it depends on the operation's effect. */
function defaultOf(users) {
	const defaults = (wanted) => {
		const found = users.filter(({ one }) => one.action.effect === wanted);
		return [...new Set(found.map(({ field }) => !actsIfAdded(field) && field.default))].map(
			(one) => CHOICES[one] ?? String(one),
		);
	};
	const [reads, writes] = [defaults('read'), defaults('write')];
	const all = new Set([...reads, ...writes]);
	if (all.size > 1) return `${reads.join(' or ')} (reads), ${writes.join(' or ')} (writes)`;
	return [...all].join();
}

const OPTIONS = 'Options of most operations';

function optionsSection(common) {
	const rows = [...common].map(([parameter, users]) => {
		const [{ field }] = users;
		return [
			field.displayName,
			code(parameter),
			valueOf(field),
			defaultOf(users),
		];
	});
	rows.sort(([first], [second]) => first.localeCompare(second));
	return [
		`## ${OPTIONS}`,
		table(['Option', 'Parameter', 'Value', 'If not added'], rows),
	];
}

/** What the fields of a form have to be together, by the title of the operation. */
const NOTES = {
	'Payroll Employee Cost Center: Update':
		'Give at least one row. Each row needs a *Record ID*, a *Cost Center Code* or a *Cost Center ID*.',
};

/** The form of an operation: its fields without the options that others have, too. */
function formText({ action, title }, common) {
	const { fields, options } = formFields(action, ({ name }) => common.has(name));
	return [`Parameters: ${fields}.`, options && `Options: ${options}.`, NOTES[title]];
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
const MORE_FIELDS = {
	'Payroll Employee Address: Create':
		'with *Skip If It Exists*, `created`, and all fields of an address that exists already',
	'Payroll Company Other List: Get Many':
		'the parameters of the path, unless the record has a field of the same name',
	'Payroll Company Connection: Check': '[what they say](credentials.md#check-the-connection)',
};

function itemsText({ title, action: { outputSchema } }) {
	const schema = outputSchema();
	const others = schema.additionalProperties && 'every other field that the service sends';
	return `Items: ${[itemFields(schema).join(', '), others, MORE_FIELDS[title]].filter(Boolean).join('; ')}.`;
}

/**
 * Takes the same as {@link operationsTable}; returns the options that operations share, and a section for each operation, in Markdown.
 */
function operationsPages(resourcesByNode) {
	const offers = offersOf(resourcesByNode);
	const common = commonOptions(offers);
	const section = (one) => {
		const same = offers.find(({ action }) => action.kind === 'chosen' && one.action.kind === 'chosen');
		const isRepeated = same !== undefined && same !== one;
		return [
			`### ${one.title}`,
			`${one.action.description}. ${effectText(one.action)}`,
			...(isRepeated
				? [`The form and the items are those of [${same.title}](#${same.anchor}).`]
				: [...formText(one, common), itemsText(one)]),
		];
	};
	return [
		...optionsSection(common),
		...[...grouped(offers.map((one) => [one.node, one]))].flatMap(([node, ofNode]) => [
			`## ${node}`,
			...ofNode.flatMap(section),
		]),
	]
		.filter(Boolean)
		.join('\n\n');
}

module.exports = { operationsTable, operationsPages };
