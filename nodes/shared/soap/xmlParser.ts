/** The one place that imports fast-xml-parser: the build bundles the library into this module. */
export { XMLParser, XMLValidator } from 'fast-xml-parser';
