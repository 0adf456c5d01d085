/** The rows of a form for docs/operations.md: each field with its label, its parameter, whether it is required, and its meaning. */

const code = (text) => `\`${text}\``;

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

/** `, 1 to 50` or `, at least 1`, if a number has bounds. */
function range({ minValue, maxValue } = {}) {
	if (minValue === undefined) return '';
	return maxValue === undefined ? `, at least ${minValue}` : `, ${minValue} to ${maxValue}`;
}

/** The kind of a field; numbers are typed into text fields. */
const kindOf = ({ type, typeOptions }) =>
	typeOptions?.numberPrecision === undefined ? type : 'number';

/** What can be entered in a field, such as `number, at least 1`. */
const valueOf = (field) => KINDS[kindOf(field)] + range(field.typeOptions);

const sentence = (text) =>
	text.replace(/^./, (first) => first.toUpperCase()).replace(/[^.]$/, '$&.');

const EXAMPLE = / ?Example: <code>(.*?)<\/code>\.?/;

/** The text of a form as Markdown, without its example. */
const markdown = (text) => text.replace(EXAMPLE, '').replace(/<\/?code>/g, '`');

/** The example of a JSON field; `undefined` if it has none. */
function exampleOf({ description = '' }) {
	const [, json] = EXAMPLE.exec(description) ?? [];
	return json && JSON.parse(json);
}

/** Whether a switch among the options takes effect by being added. */
const actsIfAdded = ({ type, name, default: byDefault }) =>
	type === 'boolean' && byDefault === true && name !== 'includeRequestKeys';

/** What a field has if nobody changes it. A field inside another one is only sent if it is added. */
function defaultText(field, place) {
	const { type, options = [], default: byDefault } = field;
	if (place === 'added') return undefined;
	if (place === 'option' && actsIfAdded(field)) return 'off unless you add it';
	if (type === 'boolean') return byDefault ? 'on by default' : 'off by default';
	if (typeof byDefault === 'number') return `${byDefault} by default`;
	const choice = type === 'options' && options.find(({ value }) => value === byDefault);
	return choice ? `${choice.name} by default` : undefined;
}

/** The choices of a field on which others depend, as `[stored value, text]`. */
function choicesOf({ type, options = [], modes = [] }, isMode) {
	if (type === 'boolean') {
		return [
			[true, 'on'],
			[false, 'off'],
		];
	}
	return isMode
		? modes.map(({ name, displayName }) => [name, displayName])
		: options.map(({ name, value }) => [value, name]);
}

/**
 * When a form shows a field that depends on the choices of another one: `if *Return All* is off`, or, if it is shown by
 * default, `unless *Specify Cost Centers* is *From Input Items*`.
 */
function conditionOf(path, isShown, form) {
	const [name, part] = path.replace('/', '').split('.');
	const other = form.find((one) => one.name === name);
	if (other === undefined || part === 'value') return [];
	const isMode = part === 'mode';
	const byDefault = isMode ? other.default.mode : other.default;
	const isException = isShown(byDefault);
	const named = choicesOf(other, isMode).filter(([value]) => isShown(value) !== isException);
	// JSON has the same fields: what is required there, too, is no exception.
	if (isException && named.every(([value]) => value === 'json')) return [];
	const texts = named.map(([, text]) => (other.type === 'boolean' ? text : `*${text}*`));
	const when = `*${other.displayName}* is ${texts.join(' or ')}`;
	return [isException ? `unless ${when}` : `if ${when}`];
}

/** When a form shows a field. */
function conditionsOf(field, form) {
	const { show = {}, hide = {} } = field.displayOptions ?? {};
	const of = (rules, wanted) =>
		Object.entries(rules).flatMap(([path, values]) =>
			conditionOf(path, (value) => values.includes(value) === wanted, form),
		);
	return [...of(show, true), ...of(hide, false)];
}

/** Whether a form requires a field: `Yes`, perhaps with the condition under which it is shown. */
const requiredText = (field, form) =>
	field.required ? ['Yes', ...conditionsOf(field, form)].join(', ') : '';

/** A field with more choices than this is only said to be a choice. */
const MAX_CHOICES = 20;

/** What a field means and takes. */
function meaning(field, form, place) {
	const { type, options, description = '', hint, noDataExpression = false, required } = field;
	const isListed = type === 'options' && options.length <= MAX_CHOICES;
	const choices = isListed && `one of ${options.map(({ name }) => name).join(', ')}`;
	const isTold = TOLD.includes(kindOf(field)) || valueOf(field) === KINDS.number;
	const conditions = required ? [] : conditionsOf(field, form);
	// The fields inside a resource mapper do take expressions.
	const isFixed = noDataExpression && type !== 'resourceMapper';
	const parts = [
		...conditions.filter((one) => one.startsWith('if')).map((one) => `only ${one}`),
		choices || (!isTold && valueOf(field)),
		markdown(description),
		hint,
		defaultText(field, place),
		isFixed && 'No expression',
	];
	return parts.filter(Boolean).map(sentence).join(' ');
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

const isOptions = ({ name }) => name === 'options';

/** The options of an operation. */
const optionsOf = ({ properties }) => properties.filter(isOptions).flatMap(fieldsIn);

const HEAD = ['Field', 'Parameter', 'Required', 'Meaning'];

/**
 * Returns the rows of a form.
 *
 * @param isLeftOut says of an option whether it has no row
 */
function formRows({ properties }, isLeftOut) {
	const row = (field, outer, place) => [
		outer + field.displayName,
		code(field.name),
		requiredText(field, properties),
		meaning(field, properties, place),
	];
	const rows = (field) => {
		const inner = fieldsIn(field);
		if (isOptions(field)) {
			return inner.filter((one) => !isLeftOut(one)).map((one) => row(one, 'Options → ', 'option'));
		}
		return [row(field, '', 'shown'), ...inner.map((one) => row(one, '→ ', 'added'))];
	};
	// A field may have a variant of the same name for each way to use the form.
	const isFirst = ({ name }, index) => properties.findIndex((one) => one.name === name) === index;
	const fields = properties.filter(isFirst).filter(({ type }) => type !== 'notice');
	return fields.flatMap(rows);
}

/** The examples of the JSON fields of a form, each as `[label, value]`. */
const examplesOf = ({ properties }) =>
	properties.flatMap((field) => {
		const value = exampleOf(field);
		return value === undefined ? [] : [[field.displayName, value]];
	});

module.exports = { HEAD, actsIfAdded, code, examplesOf, formRows, markdown, optionsOf, valueOf };
