/** Options of the sandbox: some are fixed at its start, others can change while it runs. */
import { z } from 'zod';

const count = (least: number) => z.number().int().min(least);

/** Behaviour that `configure` changes at run time, mostly where docs/dev/interface.md has no rule. */
const modeSchema = z.strictObject({
	/** Life of access tokens issued from now on; docs/dev/interface.md, section 5.3 says 3600. */
	accessTokenSeconds: count(1).default(3600),
	/** A spent refresh token is only refused, or revokes its whole grant. */
	reuse: z.enum(['refuse', 'revoke']).default('refuse'),
	/** How SOAP reports an expired access token: HTTP 401, or a fault at HTTP 500. */
	expiryAs: z.enum(['status', 'fault']).default('status'),
	/** The versions of SOAP that the services speak. */
	soapVersions: z.enum(['both', '1.1', '1.2']).default('both'),
	/** CostCenter_Update changes and adds the given rows, or replaces the whole list by them. */
	costCenterUpdate: z.enum(['change', 'replace']).default('replace'),
	/** Shape of the hour code pages. */
	hourCodeBody: z.enum(['array', 'metadata']).default('array'),
	/** Largest page the server returns, whatever was requested; null for no limit. */
	pageSizeCap: count(1).nullable().default(null),
	/** Number of the first page. */
	firstPage: count(0).default(1),
	/** Delay of each business call (SOAP and REST). */
	latencyMs: count(0).default(0),
	/** Holds business calls until this many are open at once; after that, holds none until a reset. */
	holdUntilOpen: count(0).default(0),
	/** Delay of each token request, so that refreshes of one token can overlap. */
	tokenLatencyMs: count(0).default(0),
	/** Validates every SOAP request against the schemas, and refuses the others; a call is much slower. */
	schemaValidation: z.boolean().default(false),
	/** Who can read the services' descriptions (WSDL): anyone, clients with an access token, or nobody. */
	description: z.enum(['open', 'token', 'none']).default('open'),
	/** Adds a required element to CostCenter_Update in the description alone. */
	descriptionDrift: z.boolean().default(false),
	/** How often a report that is made in the background is asked for in vain. */
	reportChecks: count(0).default(2),
	/** How many employees there are, from 1001 on; a change restores the sample data. */
	employees: count(0).default(60),
});

const text = z.string().min(1);

/** What a client needs to connect, as far as it can be chosen. */
const connectionSchema = z.strictObject({
	/** {soap_namespace} of docs/dev/interface.md. */
	namespace: text.default('http://payroll.example/soap/v3'),
	clientId: text.default('payroll-n8n'),
	// Every character that a client which forgets to URL-encode would get wrong.
	clientSecret: text.default('p+y/100% r:o&l=l secret'),
	redirectUris: z
		.array(text)
		.min(1)
		.default(['http://localhost:5678/rest/oauth2-credential/callback', 'http://localhost:8080']),
	user: text.default('anna'),
	password: text.default('Salaris-2026'),
	subscriptionKey: text.default('5f0c2c0b7a1e4d5c9b8a7f6e5d4c3b2a'),
	domain: text.default('demo'),
});

/** Everything is optional; `port` 0 (the default) takes a free one. */
const optionSchema = modeSchema.merge(connectionSchema).extend({ port: count(0).default(0) });

/** The modes in force. */
export type Modes = z.infer<typeof modeSchema>;

/** What a client needs to connect. */
export interface Connection extends z.infer<typeof connectionSchema> {
	/** Origin of everything: {auth_url}, {base_url} and {soap_url} of docs/dev/interface.md in one. */
	url: string;
	scopes: string[];
}

/** Options to start with. */
export type SandboxOptions = Partial<z.infer<typeof optionSchema>>;

/** The scopes of docs/dev/interface.md, section 5.4, written from the page. */
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

/**
 * Takes changes as they came in; returns them typed.
 *
 * @throws {z.ZodError} if one has no such name or no such value
 */
export function checkedModes(given: unknown): Partial<Modes> {
	return modeSchema.partial().parse(given) as Partial<Modes>;
}

/**
 * Takes start options as they came in; returns every setting.
 *
 * @throws {z.ZodError} if one has no such name or no such value
 */
export function settings(given: SandboxOptions): {
	port: number;
	modes: Modes;
	connection: Omit<Connection, 'url'>;
} {
	return {
		port: optionSchema.parse(given).port,
		modes: modeSchema.strip().parse(given),
		connection: { ...connectionSchema.strip().parse(given), scopes },
	};
}
