import { unusableField } from '../errors/credentialErrors';
import type { StoredExpression } from '../host/expressions';

const QUOTED = String.raw`(?:"[^"\\{}\r\n]*"|'[^'\\{}\r\n]*')`;
const NAME = String.raw`(?!constructor\b|prototype\b|__)[A-Za-z_]\w*`;
/** A property, such as `.domain`, `?.domain` or `["my domain"]`. */
const PROPERTY = String.raw`(?:\??\.${NAME}|(?:\?\.)?\[(?!["'](?:constructor|prototype|__))${QUOTED}\])`;
const OPERAND = String.raw`\s*(?:\$(?:vars|secrets)${PROPERTY}+|${QUOTED}|\d+(?:\.\d+)?|true|false)\s*`;
const OPERATOR = String.raw`(?:\+|\|\||&&|\?\??|:|[=!]==?)`;
const CODE = `\\{\\{${OPERAND}(?:${OPERATOR}${OPERAND})*\\}\\}`;
/** Text outside of the braces; a backslash could hide one of them. */
const PLAIN = String.raw`(?:[^\\{]|\{(?!\{))`;

/**
 * An expression that has the same value for every item of a run: text, `$vars`, `$secrets`, literals
 * and operators between them. Whatever else it contains does not match, however it is spelled.
 */
const SAME_FOR_ALL_ITEMS = new RegExp(`^=(?:${PLAIN}|${CODE})*$`);

/**
 * Checks the expressions that are stored in a credential. A run reads the credential once, for all of
 * its items.
 *
 * @param stored the field of the credential that lists its expressions
 * @throws {ServiceError} naming the first field whose value may depend on the item
 * @throws {TypeError} if n8n did not evaluate the list
 */
export function checkExpressions(stored: unknown): void {
	if (!Array.isArray(stored)) throw new TypeError('The expressions of the credential are unknown');
	for (const [field, expression] of stored as readonly StoredExpression[]) {
		if (SAME_FOR_ALL_ITEMS.test(expression)) continue;
		throw unusableField(
			field,
			"an expression may use $vars and $secrets alone. For a value that depends on the item, use the option 'Domain' of the node",
		);
	}
}
