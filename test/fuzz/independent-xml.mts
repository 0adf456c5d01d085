/** An XML document as sax reads it: a parser that shares nothing with the package's. */
import saxParser, { type QualifiedAttribute, type QualifiedTag, type SAXOptions } from 'sax';

/** An element as the package's reader has it. */
export interface SaxElement {
	readonly namespace: string;
	readonly name: string;
	readonly attributes: ReadonlyMap<string, string>;
	readonly children: SaxElement[];
	text: string;
}

const XSI = 'http://www.w3.org/2001/XMLSchema-instance';

// Long texts are no concern of this reader's.
Object.assign(saxParser, { MAX_BUFFER_LENGTH: Number.POSITIVE_INFINITY });

function attributesOf(attributes: readonly QualifiedAttribute[]): ReadonlyMap<string, string> {
	return new Map(
		attributes
			.filter(({ prefix, name }) => prefix !== 'xmlns' && name !== 'xmlns')
			.map(({ uri, local, value }) => [uri === XSI ? `xsi:${local}` : local, value]),
	);
}

/** The end of an instruction that sax overlooks: what holds it has to be told apart before. */
export const OVERLOOKED = '??>';

/** Throws where the text is not one well-formed document. */
export function readIndependently(document: string): SaxElement {
	const options = { xmlns: true, strictEntities: true };
	const sax = saxParser.parser(true, options as SAXOptions);
	const roots: SaxElement[] = [];
	const open: SaxElement[] = [];
	sax.onopentag = (tag) => {
		const { uri, local, attributes } = tag as QualifiedTag;
		const element: SaxElement = {
			namespace: uri,
			name: local,
			attributes: attributesOf(Object.values(attributes)),
			children: [],
			text: '',
		};
		(open.at(-1)?.children ?? roots).push(element);
		open.push(element);
	};
	sax.onclosetag = () => void open.pop();
	sax.ontext = sax.oncdata = (text) => {
		const element = open.at(-1);
		if (element !== undefined) element.text += text;
	};
	sax.onerror = (error) => {
		throw error;
	};
	// It knows line feeds only.
	sax.write(document.replace(/\r\n?/g, '\n')).close();
	const [root] = roots;
	if (root === undefined || roots.length > 1) throw new Error('Not one root element');
	return root;
}
