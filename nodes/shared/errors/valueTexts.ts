/** The other texts: of the connection, of values and settings, and of the editor. */
import { either, of, plain } from './cases';

const ANSWERED = 'The identity server answered with HTTP {status}';
const redirect = either('redirectUnprocessed', 'redirect');
const unavailable = either('busy', 'unavailable', 'serverError');

export const valueTexts = {
	check: {
		tokenRedirect:
			of.reading(`The token endpoint of the identity server answers with a redirect (HTTP {status})
			n8n follows it when it renews the access token, so that another address receives the refresh token and the client secret. Enter the final address under 'Identity Address' in the credential.`),
		drift: of.reading(`The payroll service describes operations of this package differently
			{differences}. Check the workflows that use these operations, and look for a new version of this package.`),
		undecided: of.reading(`The service answered with a fault that may be about employee 0: {fault}
			Enter an 'Employee ID' to find out.`),

		token: 'The tokens were renewed, and the access token is accepted.',
		noAnswer:
			'The tokens were renewed, but no service answered that could accept the access token.',
		soap: 'The SOAP service answers.',
		rest: 'The REST API answers.',
		descriptions: 'The services describe the operations as this package calls them.',
		tokenEndpoint: 'The token endpoint does not redirect.',
		noSoap: 'Not tried, since the SOAP service does not work.',
		noCompany: `Not tried: enter a 'Company ID' to try the REST API.`,
	},
	revoke: {
		redirect: redirect(`${ANSWERED}
			Redirects are not followed, so that no other address receives a secret. Enter the final address under 'Identity Address' in the credential.`),
		unavailable: unavailable(`${ANSWERED}
			The identity server is not available at the moment.`),
		otherStatus: of.refused(`${ANSWERED}
			Check 'Identity Address', 'Client ID' and 'Client Secret' in the credential.`),
		inPart: of.revokedInPart(`{failure}
			The refresh token was revoked, so the connection ends when the access token expires, at most an hour after it was issued.`),
		web: of.unreadable(`The identity server sent a web page instead of an answer
			Check 'Identity Address' in the credential.`),
		renewed: of.revokedInPart(`The tokens were renewed repeatedly while they were being revoked
			Stop the workflows that use the credential before you revoke it.`),

		storedTokens: `The credential still holds the tokens, since n8n gives a node no way to remove them. To use it again, open it and connect the account; otherwise delete it.`,
		accessTokenLasts: `The identity server does not revoke access tokens: the last one may be accepted until it expires, an hour after it was issued.`,
	},
	invalid: {
		value: plain(`{value}
			Nothing was {done} for this item. Correct the value.`),
		values: plain(`{count} values cannot be used:{values}
			Nothing was {done} for this item. Correct the values.`),
		cancelled: plain(`The execution was cancelled`),
		unexpected: of.unexpected(`Unexpected error: {message}
			This is a bug of the node, please report it. If n8n logs errors, its log has the details.`),
		expression: plain(`{failure}
			Check the values and expressions of this item.`),
		asTool:
			plain(`The operation "{operation}" of "{resource}" cannot be used as a tool of an AI agent
			Run it in a workflow, without an AI agent.`),
		operation: plain(`The operation "{operation}" of "{resource}" is not known
			The workflow was probably made with another version of this package. Choose the resource and the operation again.`),
		currentRecords: of.notBegun(`{failure}
			The current records could not be read.`),
		customApiCall: plain(`This node does not run Custom API Call
			Use n8n's HTTP Request node with this credential. To call any other SOAP operation, use Other Operation: Call of Payroll Employee or Payroll Company.`),
	},
	/** What is wrong with a value; its name precedes. */
	values: {
		boolean: '{value} is neither true nor false.',
		notKind: '{value} is not {kind}.',
		form: '{value} is not {kind}. Write it like {example}',
		number: '{value} is not a number. Write {meant}',
		stored:
			'{value} names the place where n8n keeps the file, and is not its content. Read the content with Extract from File: Move File to Base64 String.',
		empty: 'is empty.',
		choice: 'is empty. Choose {known}.',
		noRows: 'has no rows.',
		noFields: 'has no value in any of its fields.',
		required: 'is required.',
		characters: '{value} contains a control character or a broken emoji.',
		setting: '{value} is not {kind} from {lowest} to {highest}.',
		count: '{value} is not a whole number of at least 1.',
		identifier: '{value} is not an identifier.',
		unknown: '{value} is not known. Choose {known}.',
		bound: '{value} is out of range. Write a value of {limit}',
		int: '{value} is out of range. Write a whole number from {lowest} to {highest}',
		switchOff: 'Turn on the switch {name}.',
		switchExpression: 'The switch {name} does not accept an expression. Turn it on by hand.',
		alternative: 'is given together with its alternative',
		oneOf: 'Enter {names}.',
		whitespace: '{value} contains whitespace, which would end the entry.',
		column: `{value} in the column '{column}' contradicts {other} in the column '{otherColumn}'.`,
		ambiguousColumn: 'is the name of several fields. Rename the column to one of them: {fields}.',
		noColumn: 'is missing: name a column {names}.',
		inexact: '{value} has more than 15 digits. Write it as a string.',
		list: '{value} is not a list.',
		record: '{value} is not an object with the fields {fields}.',
		syntax: '{value} is not valid JSON.',
		entries: 'has {count} entries. Give {limit}',
		nested: 'is nested deeper than {levels} levels.',
		field: 'is not a known field. The known fields are {known}.',
	},
	/** What is wrong with a row of 'Keep Other Cost Centers'. */
	records: {
		ambiguous: '{count} current records have the {field} {text}{ids}. Give a {label}.',
		unidentified: 'needs {labels} to identify the record.',
		unmatched: 'no current record has {text}. The current ones are {known}.',
		noRecords: 'no current record has {text}. There are no current records.',
		twice: 'refers to the same record as',
		equal: 'is the same new record as',
	},
	/** What is wrong with the percentages of cost centers. */
	shares: {
		total:
			"the percentages add up to {total} ({shares}), not to 100. To write them anyway, turn off 'Total Must Be 100 %'.",
		range:
			"not a percentage from 0 to 100: {shares}. To write it anyway, turn off 'Total Must Be 100 %'.",
	},
	/** What is wrong with a value of Other Operation: Call. */
	parameters: {
		elements: '{value} is not an object with element names.',
		type: '{value} is not the name of a type, such as dateTime.',
		operation: '{value} is not the name of an operation, such as CostCenter_Get.',
		element: '{value} is not the name of an XML element without a prefix.',
		byHand: 'does not accept an expression. Turn it on or off by hand.',
		example: 'is still the example of the form. Replace it with your values, or remove the field.',
		parameter: 'is not a parameter of the operation. Open the node to update its parameters.',
	},
	editor: {
		noOperation: plain(`Choose an operation from the list first.`),
		valuesMissing: of.reading(`Enter {fields} first
			The list is read with these values. If one is an expression, execute the previous nodes, so that the editor can evaluate it. Or enter the value by ID.`),
		late: of.reading(`The payroll service did not answer in time
			Open the list again later, or enter the value without the list.`),
	},
	/** What follows the advice. */
	endings: {
		transient: 'Run it again later.',
		notApplied: 'The change was not applied.',
		unknown: `The change may have been applied: look in the payroll service before you send it again.`,
		noItem: 'No other item of this run was applied.',
		itemsApplied: '{count} of {all} items were applied{names}.',
		itemsUnknown: '{items} may have been applied{names}.',
		itemsOpen: '{count} were refused or not sent.',
		itemOpen: '1 was refused or not sent.',
		retry: `To continue, retry this execution in n8n, not an earlier one: the retry sends only {rest}, and items whose values have changed.`,
		subWorkflow: `To continue, retry the execution of this sub-workflow, not that of the workflow that called it: the retry sends only {rest}, and items whose values have changed.`,
		noRetry: 'A retry of this execution in n8n sends nothing.',
		anew: 'A new execution sends all items again.',
	},
} as const;
