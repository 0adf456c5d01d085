/** Generates the part of docs/errors.md that says whether a failed change was applied, from the table that the nodes use. */

const HEADINGS = {
	notApplied: 'Not applied:',
	unknown: 'Not known (†):',
	applied: 'Applied (‡):',
};

/** Takes the kinds of failure by name (`{ busy: { outcome, when } }`); returns a list in Markdown for each outcome. */
function outcomesTable(failureKinds) {
	const kinds = Object.values(failureKinds);
	const listOf = ([outcome, heading]) => {
		const items = kinds.filter((kind) => kind.outcome === outcome).map(({ when }) => `- ${when}`);
		return [heading, '', ...items].join('\n');
	};
	return Object.entries(HEADINGS).map(listOf).join('\n\n');
}

module.exports = { outcomesTable };
