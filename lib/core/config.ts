import path from 'node:path';
import { Ajv } from 'ajv';
import Type, { type Static, type TSchema } from 'typebox';

const Port = Type.Integer({ minimum: 0, maximum: 65535 });
const Milliseconds = Type.Integer({ minimum: 0, maximum: 600_000 });
const Count = Type.Integer({ minimum: 1, maximum: 256 });

/** Everything that Assay reads from its environment. `meanings` says what each setting is for. */
const Environment = Type.Object({
  PORT: Type.Optional(Port),
  OPS_PORT: Type.Optional(Port),
  HOST: Type.String({ default: '127.0.0.1' }),
  OPS_HOST: Type.String({ default: '127.0.0.1' }),
  OPS_PASSWORD: Type.Optional(Type.String({ minLength: 8 })),
  ASSAY_HOME: Type.String({ default: '.assay', minLength: 1 }),
  DATABASE_URL: Type.Optional(Type.String({ pattern: '^postgres(ql)?://' })),
  DATABASE_POOL: Type.Integer({ minimum: 2, maximum: 200, default: 10 }),
  DATABASE_WAIT_MS: Type.Integer({ minimum: 100, maximum: 60_000, default: 5_000 }),
  OPERATOR_PASSWORD: Type.Optional(Type.String({ minLength: 16 })),
  API_PASSWORD: Type.Optional(Type.String({ minLength: 16 })),
  WORKER_PASSWORD: Type.Optional(Type.String({ minLength: 16 })),
  ENCRYPTION_KEY: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$' })),
  SIGNING_SECRET: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$' })),
  WEBHOOK_KEY: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$' })),
  WEBHOOK_NETWORKS: Type.String({
    pattern: '^([0-9a-fA-F.:]+/[0-9]{1,3}(,[0-9a-fA-F.:]+/[0-9]{1,3})*)?$',
    default: '',
  }),
  AI_CONNECTION_KEY: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$' })),
  AI_NETWORKS: Type.String({
    pattern: '^([0-9a-fA-F.:]+/[0-9]{1,3}(,[0-9a-fA-F.:]+/[0-9]{1,3})*)?$',
    default: '',
  }),
  OLD_SECRET: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$' })),
  OLD_PASSWORD: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
  REDIS_URL: Type.Optional(Type.String({ pattern: '^rediss?://' })),
  ACCESS_TOKEN_S: Type.Integer({ minimum: 60, maximum: 3_600, default: 900 }),
  PUBLIC_URL: Type.Optional(Type.String({ pattern: '^https?://[^/]+$' })),
  REQUEST_MS: Type.Integer({ minimum: 100, maximum: 300_000, default: 30_000 }),
  CORS_ORIGINS: Type.String({ pattern: '^(https?://[^/,\\s]+(,https?://[^/,\\s]+)*)?$', default: '' }),
  TRUST_PROXY: Type.Boolean({ default: false }),
  RATE_LIMIT_FACTOR: Type.Number({ minimum: 0.01, maximum: 1_000_000, default: 1 }),
  RUN_WAIT_MS: Type.Integer({ minimum: 0, maximum: 60_000, default: 20_000 }),
  NUMERICS_WORKERS: { ...Count, default: 1 },
  NUMERICS_CONCURRENCY: { ...Count, default: 2 },
  IO_CONCURRENCY: { ...Count, default: 4 },
  WORKER_QUEUE: Type.Enum(['numerics', 'io'], { default: 'numerics' }),
  LOCK_MS: { ...Milliseconds, default: 5_000 },
  SWEEP_MS: { ...Milliseconds, default: 2_000 },
  DRAIN_MS: { ...Milliseconds, default: 25_000 },
  LOG_LEVEL: Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'], { default: 'info' }),
  NODE_APP_INSTANCE: Type.Integer({ minimum: 0, default: 0 }),
  HEARTBEAT_FILE: Type.Optional(Type.String()),
  VALIDATE_RESPONSES: Type.Boolean({ default: false }),
});

export type Config = Static<typeof Environment>;

/** The kinds of processes: the services, the migration, and the operator's commands. */
export type Part = 'api' | 'numerics' | 'io' | 'scheduler' | 'migrate' | 'operator';

const workers = ['numerics', 'io', 'scheduler'] as const;
const serving = ['api', ...workers] as const;
const every = [...serving, 'migrate', 'operator'] as const;

/**
 * The processes that read each variable. `DATABASE_URL` has each process's own role. `serve`, compose and PM2
 * give each process only its own variables. The starting command sets the ports of the operators' listeners
 * and the numbers of processes.
 */
export const readers: Readonly<Record<keyof Config, readonly Part[]>> = {
  PORT: ['api', 'operator'],
  OPS_PORT: serving,
  HOST: ['api', 'operator'],
  OPS_HOST: serving,
  OPS_PASSWORD: ['api'],
  ASSAY_HOME: every,
  DATABASE_URL: every,
  DATABASE_POOL: ['api'],
  DATABASE_WAIT_MS: ['api'],
  OPERATOR_PASSWORD: ['migrate'],
  API_PASSWORD: ['migrate'],
  WORKER_PASSWORD: ['migrate', 'operator'],
  ENCRYPTION_KEY: ['operator'],
  SIGNING_SECRET: ['io', 'migrate', 'operator'],
  WEBHOOK_KEY: ['io', 'operator'],
  WEBHOOK_NETWORKS: ['io', 'operator'],
  AI_CONNECTION_KEY: ['io', 'operator'],
  AI_NETWORKS: ['io', 'operator'],
  OLD_SECRET: ['operator'],
  OLD_PASSWORD: ['operator'],
  REDIS_URL: [...serving, 'operator'],
  ACCESS_TOKEN_S: ['api'],
  PUBLIC_URL: ['api'],
  REQUEST_MS: ['api'],
  CORS_ORIGINS: ['api'],
  TRUST_PROXY: ['api'],
  RATE_LIMIT_FACTOR: ['api'],
  RUN_WAIT_MS: ['api'],
  NUMERICS_WORKERS: [],
  NUMERICS_CONCURRENCY: ['numerics'],
  IO_CONCURRENCY: ['io'],
  WORKER_QUEUE: ['numerics', 'io'],
  LOCK_MS: ['numerics', 'io'],
  SWEEP_MS: ['scheduler'],
  DRAIN_MS: serving,
  LOG_LEVEL: every,
  NODE_APP_INSTANCE: ['api'],
  HEARTBEAT_FILE: workers,
  VALIDATE_RESPONSES: ['api'],
};

/** Names of variables whose values are secrets, in Assay or elsewhere. */
const SECRET_NAME = /(PASSWORD|PASSWD|SECRET|TOKEN|CREDENTIALS|_KEY|_URL)$|SECRET_|PASSWORD_/i;

/** The environment of a process of this kind: its own variables, and all others that are not secrets. */
export function environmentOf(part: Part, variables: Readonly<NodeJS.ProcessEnv>): NodeJS.ProcessEnv {
  const isGiven = (name: string) =>
    name in readers ? readers[name as keyof Config].includes(part) : !SECRET_NAME.test(name);
  return Object.fromEntries(Object.entries(variables).filter(([name]) => isGiven(name)));
}

const isValid = new Ajv({
  coerceTypes: true,
  useDefaults: true,
  allErrors: true,
  strict: false,
}).compile<Config>(Environment);

/** A fault of the configuration, which names every invalid variable. */
export class ConfigError extends Error {}

/**
 * Reads the environment once and converts strings to the types declared above. `ASSAY_HOME` is returned as an
 * absolute path. Throws a `ConfigError` that lists all faults together.
 */
export function readConfig(variables: Readonly<Record<string, string | undefined>> = process.env): Config {
  const config: Record<string, unknown> = {};
  for (const name of Object.keys(Environment.properties)) {
    if (variables[name] !== undefined && variables[name] !== '') config[name] = variables[name];
  }
  if (!isValid(config)) {
    const faults = isValid.errors!.map((error) => `${error.instancePath.slice(1)} ${error.message}`);
    throw new ConfigError(`the environment is not valid:\n  ${faults.join('\n  ')}`);
  }
  config.ASSAY_HOME = path.resolve(config.ASSAY_HOME);
  return config;
}
