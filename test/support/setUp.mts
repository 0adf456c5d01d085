/**
 * What most test files set up: each function starts something before the tests of its file and ends
 * it after them.
 */
import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';
import { Account } from '../../dev/package/account.mts';
import { Payroll } from '../../dev/package/payroll.mts';
import type { NodeDraft } from '../../dev/engine/index.mts';
import {
	launchSandbox,
	type SandboxClient,
	type SandboxOptions,
} from '../../dev/sandbox/client.mts';
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

/** Starts the sandbox, and loads the package onto n8n's engine; each test begins with the sample data. */
export function useSandbox(options: SandboxOptions = {}): {
	readonly sandbox: SandboxClient;
	readonly payroll: Payroll;
} {
	const sandbox = new Pending<SandboxClient>('sandbox');
	const payroll = new Pending<Payroll>('package');
	beforeAll(async () => {
		// Each as soon as it is there: a sandbox is stopped even if the package cannot be loaded.
		await Promise.all([
			launchSandbox(options).then((started) => sandbox.is(started)),
			Payroll.load().then((loaded) => payroll.is(loaded)),
		]);
	});
	beforeEach(async () => await sandbox.object.reset());
	afterAll(async () => await sandbox.object.stop());
	return { sandbox: sandbox.object, payroll: payroll.object };
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

/** Connects a new account before each test. */
export function useAccount(payroll: Payroll, sandbox: SandboxClient): Account {
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

/** Connects a credential before the tests, filled in with these changes. */
export function useCredential(
	payroll: Payroll,
	sandbox: SandboxClient,
	changes: () => ICredentialDataDecryptedObject = () => ({}),
): Connected {
	const credential = new Pending<Connected>('credential');
	beforeAll(async () => {
		credential.is(new Connected(payroll, await payroll.connect(sandbox, changes())));
		await sandbox.reset();
	});
	return credential.object;
}
