/** The only module that imports fast-xml-parser: the build bundles the library into it. */
export { XMLParser, XMLValidator } from 'fast-xml-parser';
