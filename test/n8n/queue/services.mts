/** PostgreSQL and Redis for queue mode: a database of the test's own, and keys under a name of its own. */
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Installation } from '../../../dev/n8n/install.mts';

/** What the processes of one queue share. */
export interface Services {
	/** The environment variables that lead n8n there. */
	readonly env: NodeJS.ProcessEnv;
	/** Drops the database and deletes the keys. */
	remove(): Promise<void>;
}

/** The few words of `pg` that are used; n8n brings the package. */
interface Postgres {
	Client: new (options: { connectionString: string }) => {
		connect(): Promise<void>;
		query(sql: string): Promise<unknown>;
		end(): Promise<void>;
	};
}

/** The few words of `ioredis` that are used; n8n brings the package. */
interface RedisClient {
	on(event: 'error', listener: (error: Error) => void): void;
	connect(): Promise<void>;
	keys(pattern: string): Promise<string[]>;
	del(...keys: string[]): Promise<number>;
	disconnect(): void;
}
interface Redis {
	Redis: new (
		address: string,
		options: { lazyConnect: boolean; retryStrategy: () => null },
	) => RedisClient;
}

const postgresAddress =
	process.env.PAYROLL_TEST_POSTGRES || 'postgres://postgres@127.0.0.1:5432/postgres';
const redisAddress = process.env.PAYROLL_TEST_REDIS || 'redis://127.0.0.1:6379/0';

function unavailable(service: string, address: string, help: string, error: unknown): Error {
	const { host } = new URL(address);
	const { message, code } = error as { message?: string; code?: string };
	const reason = message || code || String(error);
	return new Error(
		`Queue mode needs ${service}, and at ${host} there is none (${reason}). ${help}`,
	);
}

function noPostgres(error: unknown): Error {
	return unavailable(
		'PostgreSQL',
		postgresAddress,
		'Start one with "docker run --rm -p 127.0.0.1:5432:5432 -e POSTGRES_HOST_AUTH_METHOD=trust postgres:15", ' +
			'or set PAYROLL_TEST_POSTGRES=postgres://user:password@host:port/database, a user that may create databases.',
		error,
	);
}

function noRedis(error: unknown): Error {
	return unavailable(
		'Redis',
		redisAddress,
		'Start one with "docker run --rm -p 127.0.0.1:6379:6379 redis:7", ' +
			'or set PAYROLL_TEST_REDIS=redis://user:password@host:port/number.',
		error,
	);
}

/** The variables of n8n for an address; what it does not hold is left to n8n's default. */
function variables(address: string, names: Record<'host' | 'port' | 'user' | 'password', string>) {
	const { hostname, port, username, password } = new URL(address);
	const given = { host: hostname, port, user: username, password };
	const env: NodeJS.ProcessEnv = {};
	for (const [part, name] of Object.entries(names)) {
		const value = decodeURIComponent(given[part as keyof typeof given]);
		if (value !== '') env[name] = value;
	}
	return env;
}

/**
 * Creates a database for one queue.
 *
 * @throws Error saying how to start PostgreSQL or Redis when they do not answer
 */
export async function createServices({ folder }: Installation): Promise<Services> {
	const require = createRequire(join(folder, 'package.json'));
	const postgres = require('pg') as Postgres;
	const redis = require('ioredis') as Redis;
	const name = `n8n_payroll_test_${randomBytes(6).toString('hex')}`;

	const inPostgres = async (sql: string): Promise<void> => {
		const client = new postgres.Client({ connectionString: postgresAddress });
		await client.connect();
		await client.query(sql).finally(() => client.end());
	};
	const inRedis = async (work: (client: RedisClient) => Promise<unknown>): Promise<void> => {
		const client = new redis.Redis(redisAddress, { lazyConnect: true, retryStrategy: () => null });
		// The reason comes here; `connect` only says that there is no connection.
		let reason: Error | undefined;
		client.on('error', (error) => (reason = error));
		try {
			await client.connect();
			await work(client);
		} catch (error) {
			throw reason ?? error;
		} finally {
			client.disconnect();
		}
	};

	await inRedis(async (client) => await client.keys(`${name}*`)).catch((error: unknown) => {
		throw noRedis(error);
	});
	await inPostgres(`CREATE DATABASE "${name}"`).catch((error: unknown) => {
		throw noPostgres(error);
	});
	return {
		env: {
			DB_TYPE: 'postgresdb',
			// With n8n's two connections, sixty executions at once keep it from asking whether the database is there.
			DB_POSTGRESDB_POOL_SIZE: '10',
			DB_POSTGRESDB_DATABASE: name,
			...variables(postgresAddress, {
				host: 'DB_POSTGRESDB_HOST',
				port: 'DB_POSTGRESDB_PORT',
				user: 'DB_POSTGRESDB_USER',
				password: 'DB_POSTGRESDB_PASSWORD',
			}),
			EXECUTIONS_MODE: 'queue',
			OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
			QUEUE_BULL_PREFIX: name,
			N8N_REDIS_KEY_PREFIX: name,
			QUEUE_BULL_REDIS_DB: new URL(redisAddress).pathname.slice(1) || '0',
			...variables(redisAddress, {
				host: 'QUEUE_BULL_REDIS_HOST',
				port: 'QUEUE_BULL_REDIS_PORT',
				user: 'QUEUE_BULL_REDIS_USERNAME',
				password: 'QUEUE_BULL_REDIS_PASSWORD',
			}),
		},
		async remove() {
			// With connections that a killed n8n left behind.
			await inPostgres(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
			await inRedis(async (client) => {
				const keys = await client.keys(`*${name}*`);
				if (keys.length > 0) await client.del(...keys);
			});
		},
	};
}
