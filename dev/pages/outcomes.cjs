/** Generates the table in docs/errors.md that says whether a failed change was applied, from the table that the nodes use. */

const APPLIED = { notApplied: 'No', unknown: 'Not known', applied: 'Yes' };

/** Takes the kinds of failure by name (`{ busy: { outcome, when } }`); returns the table in Markdown. */
function outcomesTable(failureKinds) {
	const rows = Object.values(failureKinds).map(
		({ outcome, when }) => `| ${when} | ${APPLIED[outcome]} |`,
	);
	return ['| When | Applied |', '| --- | --- |', ...rows].join('\n');
}

module.exports = { outcomesTable };
