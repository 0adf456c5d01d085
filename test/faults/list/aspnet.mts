/** Faults as ASP.NET, WCF and SQL Server send them: real texts, chains and traces. */
import { executed, HTML_TYPE, reply, type Act } from '../acts.mts';
import { soapFault, type Blame } from '../echo.mts';
import {
	coded,
	error,
	fault,
	notApplied,
	soap,
	unknown,
	type Expectation,
	type Fault,
	type Group,
} from '../fault.mts';
import { answer } from '../message.mts';
import { httpStatus } from './messages.mts';

const SOAP_EXCEPTION =
	'System.Web.Services.Protocols.SoapException: Server was unable to process request. ---> ';

/** A trace through the data layer, with this in front of each line and between name and bracket. */
function trace(
	at = '   at ',
	blank = '',
	line = ':line 88',
	end = 'End of inner exception stack trace',
): string {
	return [
		`${at}System.Data.SqlClient.SqlConnection.OnError${blank}(SqlException exception, Boolean breakConnection)`,
		`${at}System.Data.SqlClient.SqlTransaction.Commit${blank}()`,
		`${at}TWK.Payroll.Data.UnitOfWork.Commit${blank}() in D:\\TWK exception\\src\\UnitOfWork.cs${line}`,
		`${at}TWK.Payroll.Services.EmployeeService.Address_Insert${blank}(Int32 EmployeeId, Address Address)`,
		`   --- ${end} ---`,
	]
		.map((one) => `\r\n${one}`)
		.join('');
}

const DEADLOCK =
	'1205: Transaction (Process ID 61) was deadlocked on lock resources with another process and has been chosen as the deadlock victim. Rerun the transaction.';
const TIMEOUT =
	'System.Data.SqlClient.SqlException (0x80131904): Timeout expired.  The timeout period elapsed prior to completion of the operation or the server is not responding.';
const WAIT = 'System.ComponentModel.Win32Exception (258): The wait operation timed out';
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

/** The title, and nothing of the trace behind it. */
function title(text: string): RegExp {
	return new RegExp(`^${text}: (?!.*Unprotected Mode)The payroll service`);
}

const aggregate = (...inner: string[]): string =>
	`System.AggregateException: One or more errors occurred. ---> ${inner[0]}${trace()}\r\n` +
	inner.map((one, n) => `---> (Inner Exception #${n}) ${one}${trace()}<---\r\n`).join('\r\n');

const insert = (write: Expectation) => ({ insert: write });

const page =
	"<!DOCTYPE html><html><head><title>Timeout expired.</title></head><body><h1>Server Error in '/soap' Application.</h1><pre>[SqlException (0x80131904): Timeout expired.]</pre></body></html>";

export const aspNet: Group = {
	name: 'ASP.NET',
	faults: [
		...both('a deadlock', SOAP_EXCEPTION + DEADLOCK + trace(), /^1205: Transaction /, coded),
		...both(
			'a code behind a class in brackets',
			`[SqlException (0x80131904): 2627: Violation of PRIMARY KEY constraint.]${trace()}`,
			/^2627: Violation of PRIMARY KEY constraint\.: /,
			coded,
		),
		...both(
			'a timeout in a chain',
			`${SOAP_EXCEPTION}${TIMEOUT} ---> ${WAIT}${trace()}`,
			title('The wait operation timed out'),
			unknown,
		),
		...both(
			'a lost connection, Dutch',
			LOST + trace('   bij ', '', ':regel 88', 'Einde van intern uitzonderingsstackpad'),
			title('The connection to TWK-DB-01 was lost\\.'),
			unknown,
		),
		...both(
			'a lost connection, no indent',
			LOST + trace('at '),
			title('The connection to TWK-DB-01 was lost\\.'),
			unknown,
		),
		...both(
			'a lost connection, Mono',
			LOST + trace('  at ', ' ', ':88'),
			title('The connection to TWK-DB-01 was lost\\.'),
			unknown,
		),
		...both(
			'a TWK exception around a lost connection',
			`TWK.PayrollException: TWK exception: not saved ---> ${LOST}${trace()}`,
			title('The connection to TWK-DB-01 was lost\\.'),
			unknown,
		),
		...both(
			'an aggregate of two, the last a TWK exception',
			aggregate(LOST, TWK),
			/^TWK exception: 2011: The period lies before/,
			unknown,
		),
		...both(
			"a fault of WCF's",
			'The server was unable to process the request due to an internal error.',
			/internal error/,
			unknown,
		),
		fault(
			'a code of WCF, executed',
			executed(saying('Lost.', { code: 'a:InternalServiceFault' })),
			insert(unknown(1, 1, /Lost/)),
		),
		fault(
			'a code of its own like that of a sender, executed',
			executed(saying('Lost.', { code: 'app:ClientTimeout' })),
			insert(unknown(1, 1, /Lost/)),
		),
		proof(
			'a TWK exception',
			saying(SOAP_EXCEPTION + TWK + trace()),
			/^TWK exception: The period lies/,
		),
		proof(
			'an aggregate of one TWK exception',
			saying(aggregate(TWK)),
			/^TWK exception: The period/,
		),
		fault('the advice for a TWK exception', saying(SOAP_EXCEPTION + TWK + trace()), {
			insert: notApplied(1, 0, /turn on 'Unprotected Mode'/),
		}),
		proof(
			'a request that is no XML',
			saying(
				'Server was unable to read request. ---> There is an error in XML document (1, 2). ---> Input string was not in a correct format.',
				{ blame: 'sender' },
			),
			/^Input string was not in a correct format\./,
		),
		proof('403, a fault of the service', saying('No rights.', { status: 403 }), /^No rights\./),
		...[403, 404, 413].map((status) =>
			fault(
				`${status}, a deadlock, executed`,
				executed(saying(DEADLOCK, { status })),
				soap(error(1, 1, /^1205: /), coded(1, 1, /^1205: /)),
			),
		),
		fault(
			'an error page, executed',
			executed(reply(() => answer(500, HTML_TYPE, page))),
			soap(error(1, 1, httpStatus(500)), unknown(1, 1, httpStatus(500))),
		),
	],
};
