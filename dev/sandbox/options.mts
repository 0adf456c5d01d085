/** Options of the sandbox: some are fixed at its start, others can change while it runs. */

/** Behaviour that `configure` changes at run time, mostly where docs/interface.md has no rule. */
export interface Modes {
	/** Life of access tokens issued from now on; docs/interface.md, section 8 says 3600. */
	accessTokenSeconds: number;
	/** A spent refresh token is only refused, or takes its whole grant with it. */
	reuse: 'refuse' | 'revoke';
	/** How SOAP tells an expired access token: HTTP 401, or a fault at HTTP 500. */
	expiryAs: 'status' | 'fault';
	/** The versions of SOAP that the services speak. */
	soapVersions: 'both' | '1.1' | '1.2';
	/** CostCenter_Update changes and adds the rows given, or takes them for the whole list. */
	costCenterUpdate: 'change' | 'replace';
	/** Shape of the hour code pages. */
	hourCodeBody: 'array' | 'items' | 'metadata';
	/** Largest page the server gives, whatever was asked for; null for no limit. */
	pageSizeCap: number | null;
	/** Number of the first page. */
	firstPage: number;
	/** Delay of each business call (SOAP and REST). */
	latencyMs: number;
	/** Business calls are held until this many are open at once; from then on, until a reset, none is. */
	holdUntilOpen: number;
	/** Delay of each token request, so that refreshes of one token can overlap. */
	tokenLatencyMs: number;
	/** Checks every SOAP request against the schemas; without it a call takes a fraction of the time. */
	schemaValidation: boolean;
	/** How many employees there are, from 1001 on; a change restores the sample data. */
	employees: number;
}

/** What a client needs to connect. */
export interface Connection {
	/** Origin of everything: {auth_url}, {base_url} and {soap_url} of docs/interface.md in one. */
	url: string;
	/** {soap_namespace} of docs/interface.md. */
	namespace: string;
	clientId: string;
	clientSecret: string;
	redirectUris: string[];
	scopes: string[];
	user: string;
	password: string;
	subscriptionKey: string;
	domain: string;
}

/** Everything optional; `port` 0 (the default) takes a free one. */
export type SandboxOptions = Partial<Modes> &
	Partial<Omit<Connection, 'url' | 'scopes'>> & { port?: number };

/** The scopes of docs/interface.md, section 5.4, written from the page. */
export const scopes = [
	'employee.employment',
	'employee.employment.read',
	'employee.info',
	'employee.info.read',
	'employee.payment',
	'employee.payment.read',
	'company.info',
	'company.info.read',
	'company.payrollsettings.read',
	'offline_access',
];

const defaultModes: Modes = {
	accessTokenSeconds: 3600,
	reuse: 'refuse',
	expiryAs: 'status',
	soapVersions: 'both',
	costCenterUpdate: 'change',
	hourCodeBody: 'array',
	pageSizeCap: null,
	firstPage: 1,
	latencyMs: 0,
	holdUntilOpen: 0,
	tokenLatencyMs: 0,
	schemaValidation: true,
	employees: 60,
};

const defaultConnection: Omit<Connection, 'url'> = {
	namespace: 'http://payroll.example/soap/v3',
	clientId: 'payroll-n8n',
	// Every character that a client which forgets to URL-encode would get wrong.
	clientSecret: 'p+y/100% r:o&l=l secret',
	redirectUris: ['http://localhost:5678/rest/oauth2-credential/callback', 'http://localhost:8080'],
	scopes,
	user: 'anna',
	password: 'Salaris-2026',
	subscriptionKey: '5f0c2c0b7a1e4d5c9b8a7f6e5d4c3b2a',
	domain: 'demo',
};

const wholeFrom = (least: number) => (value: unknown) =>
	typeof value === 'number' && Number.isSafeInteger(value) && value >= least;
const oneOf =
	(...names: string[]) =>
	(value: unknown) =>
		typeof value === 'string' && names.includes(value);

const modeChecks: Record<keyof Modes, (value: unknown) => boolean> = {
	accessTokenSeconds: wholeFrom(1),
	reuse: oneOf('refuse', 'revoke'),
	expiryAs: oneOf('status', 'fault'),
	soapVersions: oneOf('both', '1.1', '1.2'),
	costCenterUpdate: oneOf('change', 'replace'),
	hourCodeBody: oneOf('array', 'items', 'metadata'),
	pageSizeCap: (value) => value === null || wholeFrom(1)(value),
	firstPage: wholeFrom(0),
	latencyMs: wholeFrom(0),
	holdUntilOpen: wholeFrom(0),
	tokenLatencyMs: wholeFrom(0),
	schemaValidation: (value) => typeof value === 'boolean',
	employees: wholeFrom(0),
};

const text = (value: unknown) => typeof value === 'string' && value !== '';

const fixedChecks: Record<keyof Omit<SandboxOptions, keyof Modes>, (value: unknown) => boolean> = {
	port: wholeFrom(0),
	namespace: text,
	clientId: text,
	clientSecret: text,
	redirectUris: (value) => Array.isArray(value) && value.length > 0 && value.every(text),
	user: text,
	password: text,
	subscriptionKey: text,
	domain: text,
};

function check(given: object, checks: Record<string, (value: unknown) => boolean>): void {
	for (const [name, value] of Object.entries(given)) {
		const allowed = Object.hasOwn(checks, name) ? checks[name] : undefined;
		if (allowed === undefined) throw new TypeError(`Unknown option ${name}`);
		if (!allowed(value)) throw new TypeError(`Option ${name} cannot be ${JSON.stringify(value)}`);
	}
}

/** Takes changes as they came in; gives them typed, or throws a TypeError naming the bad one. */
export function checkedModes(given: unknown): Partial<Modes> {
	if (typeof given !== 'object' || given === null) throw new TypeError('Modes are an object');
	check(given, modeChecks);
	return given;
}

/** Takes start options as they came in; gives every setting, or throws naming the bad one. */
export function settings(given: SandboxOptions): {
	port: number;
	modes: Modes;
	connection: Omit<Connection, 'url'>;
} {
	check(given, { ...modeChecks, ...fixedChecks });
	const pick = <T extends object>(defaults: T): T => {
		const known = Object.entries(given).filter(([name]) => Object.hasOwn(defaults, name));
		return { ...defaults, ...Object.fromEntries(known) };
	};
	return { port: given.port ?? 0, modes: pick(defaultModes), connection: pick(defaultConnection) };
}
