/** PostgreSQL and Redis for queue mode: a database and a key prefix for each queue. */
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Installation } from './install.mts';

/** What the processes of one queue share. */
export interface Services {
	/** The environment variables with which n8n uses them. */
	readonly env: NodeJS.ProcessEnv;
	/** Drops the database and deletes the keys. */
	remove(): Promise<void>;
}

/** The part of `pg` that is used; n8n depends on the package. */
interface Postgres {
	Client: new (options: { connectionString: string }) => {
		connect(): Promise<void>;
		query(sql: string): Promise<unknown>;
		end(): Promise<void>;
	};
}

/** The part of `ioredis` that is used; n8n depends on the package. */
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

const COMPOSE = 'docker compose --file dev/n8n/docker-compose.yml up';

/** Throws an error that says how to start a service. */
function unavailable(service: string, address: string, help: string) {
	return (error: unknown): never => {
		const { host } = new URL(address);
		const { message, code } = error as { message?: string; code?: string };
		const reason = message || code || String(error);
		throw new Error(
			`Queue mode needs ${service}, and at ${host} there is none (${reason}). ${help}`,
		);
	};
}

/** n8n's variables for an address; n8n's defaults apply to parts that it does not have. */
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
		// Holds the reason; the error of `connect` does not.
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

	await inRedis(async (client) => await client.keys(`${name}*`)).catch(
		unavailable(
			'Redis',
			redisAddress,
			`Start one with "${COMPOSE} redis", ` +
				'or set PAYROLL_TEST_REDIS=redis://user:password@host:port/number.',
		),
	);
	await inPostgres(`CREATE DATABASE "${name}"`).catch(
		unavailable(
			'PostgreSQL',
			postgresAddress,
			`Start one with "${COMPOSE} postgres", ` +
				'or set PAYROLL_TEST_POSTGRES=postgres://user:password@host:port/database, a user that may create databases.',
		),
	);
	return {
		env: {
			DB_TYPE: 'postgresdb',
			// With n8n's two connections, sixty executions delay its check of the database.
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
			// FORCE also ends connections that a killed n8n left behind.
			await inPostgres(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
			await inRedis(async (client) => {
				const keys = await client.keys(`*${name}*`);
				if (keys.length > 0) await client.del(...keys);
			});
		},
	};
}
