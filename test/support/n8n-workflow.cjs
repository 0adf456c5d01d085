/** n8n-workflow for the sources that tests import: the copy that the engine uses, as in n8n. */
module.exports = globalThis.createNativeRequire(__filename)('n8n-workflow');
