/** The table of docs/errors.md that says what is known of a change whose call failed, from the code that decides it. */

const APPLIED = { notApplied: 'No', unknown: 'Not known', applied: 'Yes' };

/** Takes the kinds of failure by name (`{ busy: { outcome, when } }`); gives markdown. */
function outcomesTable(failureKinds) {
	const rows = Object.values(failureKinds).map(
		({ outcome, when }) => `| ${when} | ${APPLIED[outcome]} |`,
	);
	return ['| When | Applied |', '| --- | --- |', ...rows].join('\n');
}

module.exports = { outcomesTable };
