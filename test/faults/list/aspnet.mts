/** Faults as ASP.NET, WCF and SQL Server send them: real texts, chains and traces. */
import { executed, reply, type Act } from '../acts.mts';
import { soapFault, type Blame } from '../echo.mts';
import {
	coded,
	error,
	fault,
	notApplied,
	soap,
	unknown,
	type Fault,
	type Group,
} from '../fault.mts';

const SOAP_EXCEPTION =
	'System.Web.Services.Protocols.SoapException: Server was unable to process request. ---> ';

/** A trace through the data layer. */
const TRACE = [
	'   at System.Data.SqlClient.SqlConnection.OnError(SqlException exception, Boolean breakConnection)',
	'   at System.Data.SqlClient.SqlTransaction.Commit()',
	'   at TWK.Payroll.Data.UnitOfWork.Commit() in D:\\TWK exception\\src\\UnitOfWork.cs:line 88',
	'   at TWK.Payroll.Services.EmployeeService.Address_Insert(Int32 EmployeeId, Address Address)',
	'   --- End of inner exception stack trace ---',
]
	.map((one) => `\r\n${one}`)
	.join('');

const DEADLOCK =
	'1205: Transaction (Process ID 61) was deadlocked on lock resources with another process and has been chosen as the deadlock victim. Rerun the transaction.';
const LOST = 'System.Data.Entity.Core.EntityException: The connection to TWK-DB-01 was lost.';
const TWK = 'System.Exception: TWK exception: 2011: The period lies before the current period.';

function saying(text: string, more: { blame?: Blame; status?: number; code?: string } = {}): Act {
	return reply((call) => soapFault(call, text, more));
}

/** A fault before the service did anything, and one after it did everything: nobody can tell them apart. */
function both(name: string, text: string, message: RegExp, write: typeof unknown): Fault[] {
	const expect = (times: number) => soap(error(1, times, message), write(1, times, message));
	return [
		fault(name, saying(text), expect(0)),
		fault(`${name}, executed`, executed(saying(text)), expect(1)),
	];
}

/** A fault that proves that nothing was done. */
function proof(name: string, act: Act, message: RegExp): Fault {
	return fault(name, act, soap(error(1, 0, message), notApplied(1, 0, message)));
}

const aggregate = (...inner: string[]): string =>
	`System.AggregateException: One or more errors occurred. ---> ${inner[0]}${TRACE}\r\n` +
	inner.map((one, n) => `---> (Inner Exception #${n}) ${one}${TRACE}<---\r\n`).join('\r\n');

/** `test/package/nodes/outcomes.test.mts` has more texts. */
export const aspNet: Group = {
	name: 'ASP.NET',
	faults: [
		...both('a deadlock', SOAP_EXCEPTION + DEADLOCK + TRACE, /^1205: Transaction /, coded),
		...both(
			'a lost connection',
			SOAP_EXCEPTION + LOST + TRACE,
			/^The connection to TWK-DB-01 was lost\.: (?!.*Unprotected Mode)The payroll service/,
			unknown,
		),
		...both(
			'an aggregate of two, the last a TWK exception',
			aggregate(LOST, TWK),
			/^TWK exception: 2011: The period lies before/,
			unknown,
		),
		fault(
			'a code of its own like that of a sender, executed',
			executed(saying('Lost.', { code: 'app:ClientTimeout' })),
			{ insert: unknown(1, 1, /Lost/) },
		),
		proof('a TWK exception', saying(aggregate(TWK)), /^TWK exception: The period lies/),
		fault('the advice for a TWK exception', saying(SOAP_EXCEPTION + TWK + TRACE), {
			insert: notApplied(1, 0, /turn on 'Unprotected Mode'/),
		}),
		proof(
			'a request that is no XML',
			saying('Server was unable to read request. ---> Input string was not in a correct format.', {
				blame: 'sender',
			}),
			/^Input string was not in a correct format\./,
		),
		proof('403, a fault of the service', saying('No rights.', { status: 403 }), /^No rights\./),
		fault(
			'403, a deadlock, executed',
			executed(saying(DEADLOCK, { status: 403 })),
			soap(error(1, 1, /^1205: /), coded(1, 1, /^1205: /)),
		),
	],
};
