/** The only module that imports fast-xml-parser: the build bundles the library into it. */
import { XMLParser, XMLValidator } from 'fast-xml-parser';

export { XMLParser, XMLValidator };

/**
 * Objects of a parse that never reaches the end of its document. V8 discards the optimised code of
 * a class when a garbage collection finds no object of it: without these, each collection between
 * two answers would make the parser slow again.
 */
export const unfinishedParse: unknown[] = [];

new XMLParser({
	// The library calls this as a method of the object that holds all others.
	ignoreAttributes(this: unknown) {
		unfinishedParse.push(this);
		return false;
	},
}).parse('<a b="">');
