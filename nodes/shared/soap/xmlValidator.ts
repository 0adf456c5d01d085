/** The one place that imports fast-xml-parser: the build bundles its validator into this module. */
export { XMLValidator } from 'fast-xml-parser';
