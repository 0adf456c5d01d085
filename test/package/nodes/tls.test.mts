/* Faults of TLS after a request arrived: nothing proves that it did not. test/unit/http/send.test.mts has those that do. */
import { createAddress } from '../../../dev/package/calls.mts';
import { connectedTo } from '../../support/credential.mts';
import { useScriptedServer } from '../../support/setUp.mts';
import { openTlsFront, type TlsFront } from '../../support/tls-front.mts';
import { runApart } from './apart.mts';

const HOST = '127.0.0.1';

const rows = (['TLSv1.2', 'TLSv1.3'] as const).flatMap((version) => [
	{ version, onAnswer: 'corrupt record' as const },
	{ version, onAnswer: 'alert' as const },
]);

const service = useScriptedServer();
const fronts: TlsFront[] = [];
/** What came of a write to each front. */
let results: ReadonlyArray<Record<string, unknown>>;

beforeAll(async () => {
	service.play((response) => void response.end());
	for (const row of rows) fronts.push(await openTlsFront(service.url, [HOST], row));
	const tasks = fronts.map(
		({ port }) => [connectedTo(`https://${HOST}:${port}`), createAddress] as const,
	);
	const certificates = fronts.map(({ certificate }) => certificate);
	results = await runApart(tasks, certificates);
});
afterAll(async () => {
	for (const front of fronts) await front.close();
});

it.each(rows.map((row, i) => ({ ...row, i })))(
	'$version: a write that arrived is sent once, and in doubt, after: $onAnswer',
	({ i }) => {
		expect(results[i]).toMatchObject({
			message: expect.stringMatching(/connection to the payroll service (?:failed|broke)$/),
			outcome: 'unknown',
		});
		const writes = service.received.filter(({ body }) => body.includes('<Address_Insert '));
		expect(writes).toHaveLength(rows.length);
	},
);
