/** What the tests of the sandbox set up. */
import {
	launchSandbox,
	type SandboxClient,
	type SandboxOptions,
} from '../../../dev/sandbox/client.mts';
import { connect } from '../../../dev/sandbox/oauth.mts';

/** A sandbox, and an access token that it issued. */
export interface Service {
	sandbox: SandboxClient;
	token: string;
}

/** Starts the sandbox for the tests of a file; each of them begins with the sample data and its modes. */
export function useService(
	options: SandboxOptions = {},
	modes: Parameters<SandboxClient['configure']>[0] = {},
): Service {
	const service = {} as Service;
	beforeAll(async () => {
		service.sandbox = await launchSandbox({ schemaValidation: true, ...options });
		service.token = (await connect(service.sandbox)).access_token;
	});
	beforeEach(async () => {
		await service.sandbox.configure(modes);
		await service.sandbox.reset();
	});
	afterAll(async () => await service.sandbox.stop());
	return service;
}
