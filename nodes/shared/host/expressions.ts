/** A field of a credential: its label, and its name in the stored data. */
export type CredentialField = readonly [label: string, name: string];

/** An expression that is stored in a field of a credential, not evaluated. */
export type StoredExpression = readonly [label: string, expression: string];

/**
 * Returns an n8n expression for the list of {@link StoredExpression}s in these fields of a
 * credential. A node receives a credential with all expressions evaluated; only another field of the
 * credential sees them as they are stored, as `$rawParameter["&<name>"]`: `nodeParameterGetter` in
 * `workflow-data-proxy.ts` of n8n-workflow, called by `applyDefaultsAndOverwrites` in
 * `credentials-helper.ts` of n8n's server (1.123 and 2.41). A list of choices is an array of texts.
 */
export function storedExpressions(fields: readonly CredentialField[]): string {
	return (
		`={{ ${JSON.stringify(fields)}.flatMap((field) => [].concat($rawParameter["&" + field[1]])` +
		'.filter((value) => /^=/.test(value)).map((value) => [field[0], value])) }}'
	);
}

const COLUMN = /^=\{\{\s*\$json(?:\.([A-Za-z_$][\w$]*)|\[(["'])((?:(?!\2)[^\\\n])*)\2\])\s*\}\}$/;

/**
 * Returns the field of the input item that an expression gives as it is, such as `Name` for
 * `={{ $json.Name }}` and `={{ $json['Name'] }}`, as the editor writes it when a column is dragged into
 * a field; `undefined` for any other expression.
 */
export function columnIn(expression: string): string | undefined {
	const [, name, , quoted] = COLUMN.exec(expression) ?? [];
	return name ?? quoted;
}
