/**
 * Converts an identifier for output items: to a number if the text is that number's canonical form,
 * otherwise unchanged. Items of SOAP operations have numbers, so items of REST calls can be joined
 * with them.
 */
export function identifierInItem(text: string): number | string {
	const number = Number(text);
	return Number.isSafeInteger(number) && String(number) === text ? number : text;
}
