/** An XML document as sax reads it: a parser that shares nothing with the package's. */
import saxParser from 'sax';

export interface SaxElement {
	readonly name: string;
	readonly attributes: Readonly<Record<string, string>>;
	readonly children: SaxElement[];
	text: string;
}

// Long texts are no concern of this reader's.
Object.assign(saxParser, { MAX_BUFFER_LENGTH: Number.POSITIVE_INFINITY });

/** Throws where the text is not one well-formed document. */
export function readIndependently(document: string): SaxElement {
	const sax = saxParser.parser(true);
	const roots: SaxElement[] = [];
	const open: SaxElement[] = [];
	sax.onopentag = ({ name, attributes }) => {
		const element: SaxElement = {
			name,
			attributes: attributes as Record<string, string>,
			children: [],
			text: '',
		};
		(open.at(-1)?.children ?? roots).push(element);
		open.push(element);
	};
	sax.onclosetag = () => void open.pop();
	sax.ontext = (text) => {
		const element = open.at(-1);
		if (element !== undefined) element.text += text;
	};
	sax.onerror = (error) => {
		throw error;
	};
	sax.write(document).close();
	const [root] = roots;
	if (root === undefined || roots.length > 1) throw new Error('Not one root element');
	return root;
}
