/**
 * What most test files set up: each function starts something before the tests of its file and ends
 * it after them.
 */
import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';
import { Account } from '../../dev/package/account.mts';
import { Payroll } from '../../dev/package/payroll.mts';
import type { NodeDraft } from '../../dev/engine/index.mts';
import { controlOf, type Connection, type SandboxControl } from '../../dev/sandbox/client.mts';
import { settings, type Modes } from '../../dev/sandbox/options.mts';
import { connectedTo } from './credential.mts';
import { PlainService } from './plain-service.mts';
import { scriptedServer, type ScriptedServer } from './scripted.mts';

/** An object that does not exist yet, so that a test file can name it where it says what it needs. */
export class Pending<T extends object> {
	#value: T | undefined;
	/** Stands for the object; to use it earlier throws. */
	readonly object: T;

	constructor(name: string) {
		const value = (): T => {
			if (this.#value === undefined) throw new Error(`The ${name} has not been started yet`);
			return this.#value;
		};
		this.object = new Proxy({} as T, {
			get: (_, key): unknown => Reflect.get(value(), key),
			set: (_, key, changed) => Reflect.set(value(), key, changed),
		});
	}

	/** Takes what the object stands for from now on. */
	is(value: T): void {
		this.#value = value;
	}
}

/** Resolves to how to connect to the sandbox of this process, as JSON (environment.cjs). */
declare const sharedSandbox: () => Promise<string>;

/**
 * Uses the sandbox that all test files of a process share, and loads the package onto n8n's engine. The file begins
 * with these modes and the defaults of all others, and with a connected credential; each test with the sample data.
 */
export function useSandbox(modes: Partial<Modes> = {}) {
	const sandbox = new Pending<SandboxControl>('sandbox');
	beforeAll(async () => {
		sandbox.is(controlOf(JSON.parse(await sharedSandbox()) as Connection));
		await sandbox.object.configure(settings(modes).modes);
	});
	beforeEach(async () => await sandbox.object.reset());
	const payroll = usePackage();
	const credential = useCredential(payroll, sandbox.object);
	return { sandbox: sandbox.object, payroll, credential };
}

/** Loads the package onto n8n's engine, for tests that need no sandbox. */
export function usePackage(): Payroll {
	const payroll = new Pending<Payroll>('package');
	beforeAll(async () => payroll.is(await Payroll.load()));
	return payroll.object;
}

/** Starts a server that answers as a test says. */
export function useScriptedServer(): ScriptedServer {
	const server = new Pending<ScriptedServer>('scripted server');
	beforeAll(async () => server.is(await scriptedServer()));
	afterAll(async () => await server.object.close());
	return server.object;
}

/** Starts a plain service, which begins each test without records, and connects a credential to it. */
export function usePlainService(): {
	readonly service: PlainService;
	readonly payroll: Payroll;
	readonly credential: Connected;
} {
	const payroll = usePackage();
	const service = new Pending<PlainService & { readonly url: string }>('plain service');
	beforeAll(async () => service.is(await PlainService.start()));
	const oauthTokenData = { access_token: 'token', token_type: 'Bearer' };
	const credential = useConnected(payroll, service.object, { oauthTokenData });
	afterAll(async () => await service.object.close());
	beforeEach(() => service.object.reset());
	return { service: service.object, payroll, credential };
}

/** Connects a new account before each test. */
export function useAccount(payroll: Payroll, sandbox: SandboxControl): Account {
	const account = new Pending<Account>('account');
	beforeEach(async () => account.is(await Account.connect(payroll, sandbox)));
	return account.object;
}

/** A connected credential, and the nodes that use it. */
export class Connected {
	constructor(
		private readonly payroll: Payroll,
		readonly id: string,
	) {}

	employee(parameters: INodeParameters, more?: Partial<NodeDraft>): NodeDraft {
		return this.payroll.node('payrollEmployee', this.id, parameters, more);
	}

	company(parameters: INodeParameters, more?: Partial<NodeDraft>): NodeDraft {
		return this.payroll.node('payrollCompany', this.id, parameters, more);
	}

	hourCodes(parameters: INodeParameters, more?: Partial<NodeDraft>): NodeDraft {
		return this.payroll.node('payrollHourCodes', this.id, parameters, more);
	}
}

/** Stores a credential before the tests that has tokens for a service, without a login. */
export function useConnected(
	payroll: Payroll,
	service: { readonly url: string },
	changes: ICredentialDataDecryptedObject = {},
): Connected {
	const credential = new Pending<Connected>('credential');
	beforeAll(async () => {
		const data = connectedTo(service.url, changes);
		credential.is(new Connected(payroll, await payroll.store(data)));
	});
	return credential.object;
}

/** Connects a credential before the tests, filled in with these changes. */
export function useCredential(
	payroll: Payroll,
	sandbox: SandboxControl,
	changes: () => ICredentialDataDecryptedObject = () => ({}),
): Connected {
	const credential = new Pending<Connected>('credential');
	beforeAll(async () => {
		credential.is(new Connected(payroll, await payroll.connect(sandbox, changes())));
		await sandbox.reset();
	});
	return credential.object;
}
