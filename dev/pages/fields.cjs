/** The fields of a form for docs/operations.md: the name of each parameter, and whether it is required. */

const code = (text) => `\`${text}\``;

const KINDS = {
	boolean: 'true or false',
	json: 'JSON',
	number: 'number',
	options: 'choice',
	resourceLocator: 'choice from a list, or text',
	string: 'text',
};

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

/** Whether a switch among the options takes effect by being added. */
const actsIfAdded = ({ type, name, default: byDefault }) =>
	type === 'boolean' && byDefault === true && !/^include/.test(name);

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

/**
 * Returns the parameters of a form, in bold if the form requires them wherever it shows them.
 *
 * @param isLeftOut says of an option whether it is not listed
 */
function formFields({ properties }, isLeftOut) {
	const text = ({ name, required }) => (required ? `**${code(name)}**` : code(name));
	// A field may have a variant of the same name for each way to use the form.
	const isFirst = ({ name }, index) => properties.findIndex((one) => one.name === name) === index;
	const fields = properties.filter(isFirst).filter(({ type }) => type !== 'notice');
	const list = (all) => all.map(text).join(', ');
	const main = fields.filter((field) => !isOptions(field)).map((field) => {
		const inner = fieldsIn(field);
		return inner.length > 0 ? `${text(field)} (${list(inner)})` : text(field);
	});
	const options = fields.filter(isOptions).flatMap(fieldsIn).filter((one) => !isLeftOut(one));
	return { fields: main.join(', '), options: list(options) };
}

module.exports = { actsIfAdded, code, formFields, optionsOf, valueOf };
