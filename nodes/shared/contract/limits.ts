/**
 * What is read of an answer, a description or a file, at most: more is refused while it is counted. So no
 * answer can fill n8n's memory, or keep it busy. *Response Size Limit* bounds the bytes of an answer.
 */
export const LIMITS = {
	/** Of an XML document, with comments, CDATA sections and instructions. 20,000 records have 220,000, read in half a second. */
	elements: 250_000,
	/** Elements of XML, and objects and lists of JSON, in all answers of a run. 100,000 records of XML have 1.1 million. */
	partsOfRun: 1_200_000,
	/** Of an XML document, with those that bind prefixes. Each of 100,000 records can have five that are nil. */
	attributes: 500_000,
	/** Characters of a name, of a namespace, of a number or date, and of a value in a path. */
	name: 500,
	/** Levels of elements, values or types within each other: deeper ones can break the code that reads them. */
	depth: 64,
	/** Of JSON: one for each comma, two for each list and object. 100,000 records with ten fields have 1.2 million. */
	jsonValues: 1_400_000,
	/** Bytes of all documents of a description, and of those that are kept. */
	descriptionBytes: 8 * 2 ** 20,
	/** Documents of a description. */
	descriptionDocuments: 20,
	/** Elements of all of them, and copies of inherited fields. The services of .NET have about 100,000 in 8 MiB. */
	descriptionElements: 120_000,
	/** MiB of the files in one request. IIS takes 30,000,000 bytes by default: such a file fits, in base64. */
	fileMebibytes: 20,
	/** Files in an answer: n8n stores each by itself. */
	files: 1000,
} as const;
