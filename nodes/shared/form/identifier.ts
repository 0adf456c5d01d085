/**
 * An identifier as items hold it: a number where the text is how that number is written. So the items
 * of SOAP operations, which have numbers, and of REST calls can be joined.
 */
export function identifierInItem(text: string): number | string {
	const number = Number(text);
	return Number.isSafeInteger(number) && String(number) === text ? number : text;
}
