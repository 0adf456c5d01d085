/** The only module that imports fast-xml-parser. */
export { XMLParser, XMLValidator } from 'fast-xml-parser';
