/**
 * The sources that are changed on trial (below nodes/shared), and the tests of each that have to notice (below test).
 * These tests import the sources themselves; where they run nodes on n8n's engine, these are the sources as well
 * (setup.cjs). Every single change loads all test files of its source, so that there are few of them.
 */
export const checks = {
	'form/compare': ['form/compare'],
	'form/merge': ['form/merge'],
	'run/errors': ['run/errors', 'nodes/errors'],
	'run/hints': ['run/hints'],
	'run/node': ['nodes/batch', 'nodes/reruns', 'nodes/errors'],
	'run/plan': ['run/rewrite'],
	'run/progress': ['run/progress'],
	'run/redact': ['run/redact', 'run/errors'],
	'run/rewrite': ['run/rewrite'],
	'run/schedule': ['run/schedule'],
	'soap/call': ['soap/call', 'soap/envelope'],
	'soap/custom': ['soap/custom'],
	'soap/envelope': ['soap/envelope'],
	'soap/fault': ['soap/fault'],
	'soap/response': ['soap/answer', 'soap/response'],
	'soap/scalars': ['soap/scalars'],
	'soap/xml': ['soap/xml', 'soap/response'],
	'soap/xmlReader': ['soap/xml', 'soap/response'],
	'rest/completeness': ['rest/completeness'],
	'rest/list': ['rest/list'],
	'rest/page': ['rest/list', 'rest/page'],
	'transport/attempts': ['transport/attempts', 'transport/tokens'],
	'transport/charset': ['transport/charset'],
	'transport/exchange': ['transport/attempts', 'transport/tokens'],
	'transport/failure': ['transport/send'],
	'transport/renewal': ['transport/awaitRenewal'],
	'transport/retry': ['transport/retry'],
	'transport/send': ['transport/send'],
	'transport/session': ['transport/ahead', 'transport/renewal'],
	'transport/signing': ['transport/signing'],
	'transport/status': ['transport/status'],
	'transport/token': ['transport/token'],
};
