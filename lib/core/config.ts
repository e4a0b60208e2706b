import path from 'node:path';
import { Ajv } from 'ajv';
import Type, { type Static, type TSchema } from 'typebox';

const Port = Type.Integer({ minimum: 0, maximum: 65535 });
const Milliseconds = Type.Integer({ minimum: 0, maximum: 600_000 });
const Count = Type.Integer({ minimum: 1, maximum: 256 });

/** Schema of the environment variables that Assay reads. `meanings` describes the purpose of each setting. */
const Environment = Type.Object({
  PORT: Type.Optional(Port),
  OPS_PORT: Type.Optional(Port),
  CONSOLE: Type.Boolean({ default: true }),
  CONSOLE_PORT: Type.Optional(Port),
  CONSOLE_HOST: Type.String({ default: '127.0.0.1' }),
  CONSOLE_URL: Type.Optional(Type.String({ pattern: '^https?://[^/]+$' })),
  CONSOLE_PASSWORD: Type.Optional(Type.String({ minLength: 16 })),
  OIDC_ISSUER: Type.Optional(Type.String({ pattern: '^https?://[^\\s?#]+$', maxLength: 500 })),
  OIDC_CLIENT_ID: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
  OIDC_CLIENT_SECRET: Type.Optional(Type.String({ minLength: 16, maxLength: 1_000 })),
  OIDC_CLIENT_KEY_FILE: Type.Optional(Type.String({ minLength: 1 })),
  OIDC_NAME: Type.String({ minLength: 1, maxLength: 60, default: 'your company account' }),
  OIDC_ALGORITHM: Type.Enum(['RS256', 'PS256', 'ES256', 'Ed25519', 'EdDSA'], { default: 'RS256' }),
  OIDC_ACR: Type.String({ pattern: '^([^\\s,]+(,[^\\s,]+)*)?$', maxLength: 1_000, default: '' }),
  OIDC_NETWORKS: Type.String({
    pattern: '^([0-9a-fA-F.:]+/[0-9]{1,3}(,[0-9a-fA-F.:]+/[0-9]{1,3})*)?$',
    default: '',
  }),
  HOST: Type.String({ default: '127.0.0.1' }),
  OPS_HOST: Type.String({ default: '127.0.0.1' }),
  OPS_PASSWORD: Type.Optional(Type.String({ minLength: 8 })),
  ASSAY_HOME: Type.String({ default: '.assay', minLength: 1 }),
  DATABASE_URL: Type.Optional(Type.String({ pattern: '^postgres(ql)?://' })),
  DATABASE_DIRECT_URL: Type.Optional(Type.String({ pattern: '^postgres(ql)?://' })),
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
  QLM_PROVIDER_WAIT_S: Type.Integer({ minimum: 1, maximum: 50, default: 20 }),
  OLD_SECRET: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$' })),
  OLD_PASSWORD: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
  TRANSFER_SECRET: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' })),
  CELL_NUMBER: Type.Optional(Type.Integer({ minimum: 0, maximum: 99 })),
  DEPLOYMENT_FILE: Type.Optional(Type.String({ minLength: 1 })),
  REDIS_URL: Type.Optional(
    Type.String({
      pattern: '^rediss?(://|\\+sentinel://([^:@/?,]*:[^@/?,]*@)?[^@/?]+/[^/?]+(/[0-9]+)?([?]|$))',
    }),
  ),
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

/** The schema of each setting: its type and default. */
export const settings: Readonly<Record<keyof Config, TSchema>> = Environment.properties;

/** The purpose of each setting, as `docs/reference/configuration.md` prints it. */
export const meanings: Readonly<Record<keyof Config, string>> = {
  PORT: 'Port of the API; 0 takes any free port. The default is 3000, or the next free port.',
  OPS_PORT:
    "Port of the operators' listener: `/healthz`, `/readyz`, `/metrics`, and, for the API only, `/queues`. The default is 3001 for the API and the next free port from 3002 for other processes.",
  CONSOLE: 'Whether `serve` and `demo` start the browser console.',
  CONSOLE_PORT:
    'Port of the browser console; 0 takes any free port. The default is 3010, or the next free port.',
  CONSOLE_HOST: 'Address that the browser console listens on.',
  CONSOLE_URL:
    'URL at which browsers reach the console. It must use HTTPS unless the console listens on a loopback address. The default is the address that the console listens on.',
  CONSOLE_PASSWORD:
    "Password that `migrate` gives to the console's role. If not set, it is derived from the owner's password.",
  OIDC_ISSUER:
    'Issuer of the identity provider (OpenID Connect) with which persons sign in to the console, and the default of `assay person identity add`. Without it, the console has no such sign-in.',
  OIDC_CLIENT_ID: 'Id of the console as a client of the identity provider.',
  OIDC_CLIENT_SECRET: 'Secret of the client. Set either this or `OIDC_CLIENT_KEY_FILE`.',
  OIDC_CLIENT_KEY_FILE:
    'File with the private key of the client in PEM: RSA of at least 2048 bits, P-256 or Ed25519. The client then authenticates with `private_key_jwt`.',
  OIDC_NAME: 'Name of the identity provider on the sign-in page of the console.',
  OIDC_ALGORITHM: 'The only algorithm that is accepted for the signature of an ID token.',
  OIDC_ACR:
    'Authentication contexts (`acr`) that a sign-in must have, separated by commas. If it is not set, any context is accepted.',
  OIDC_NETWORKS:
    'Non-public networks that the identity provider may be in, in CIDR form, separated by commas.',
  HOST: 'Address that the API listens on.',
  OPS_HOST: "Address that the operators' listeners listen on.",
  OPS_PASSWORD: 'Password of the user `ops` of the queue dashboard. If not set, it is generated and printed.',
  ASSAY_HOME: 'Folder of the embedded database, its logs and the demo keys.',
  DATABASE_URL:
    'PostgreSQL 15 or newer: the URL of the owner, or of the role of the process. If not set, the embedded PostgreSQL is used.',
  DATABASE_DIRECT_URL:
    'URL of PostgreSQL itself, if `DATABASE_URL` leads to a pooler in transaction mode. Notices, the queue on PostgreSQL, and the commands `migrate`, `backup` and `restore` use it.',
  DATABASE_POOL: 'Database connections of an API process.',
  DATABASE_WAIT_MS:
    'Longest time that a request waits for a database connection, in milliseconds. After that the answer is 503.',
  OPERATOR_PASSWORD:
    "Password that `migrate` gives to the operator role. If not set, it is derived from the owner's password.",
  API_PASSWORD:
    "Password that `migrate` gives to the API role. If not set, it is derived from the owner's password.",
  WORKER_PASSWORD:
    "Password that `migrate` gives to the worker role. If not set, it is derived from the owner's password.",
  ENCRYPTION_KEY:
    "32 bytes in base64. Encrypts the secrets of one-time codes. If not set, the key is derived from the operator's password.",
  SIGNING_SECRET:
    "32 bytes in base64. Encrypts the private keys that sign evidence packs. If not set, the key is derived from the workers' password.",
  WEBHOOK_KEY:
    "32 bytes in base64. Encrypts the secrets of webhooks. If not set, the key is derived from the workers' password.",
  WEBHOOK_NETWORKS: 'Non-public networks that webhooks may reach, in CIDR form, separated by commas.',
  AI_CONNECTION_KEY:
    "32 bytes in base64. Encrypts the keys of AI providers. If not set, the key is derived from the workers' password.",
  AI_NETWORKS: 'Non-public networks that AI connections may reach, in CIDR form, separated by commas.',
  QLM_PROVIDER_WAIT_S:
    'The longest time that a question waits for each call to an AI provider, in seconds. The call itself ends after three quarters of this time.',
  OLD_SECRET: 'For `assay keys rewrap`: the previous value of the key.',
  OLD_PASSWORD:
    'For `assay keys rewrap`: the previous password of the role, if the key was derived from it. The default is the current password.',
  TRANSFER_SECRET: 'For `assay workspace import`: the secret that `assay workspace export` printed.',
  CELL_NUMBER:
    'Number of the cell. `migrate` then assigns the numbers that callers know, such as `dataset_id`, from the range of the cell, so that workspaces can move between cells. If not set, the numbers of cells overlap.',
  DEPLOYMENT_FILE:
    'JSON file with the regions of the deployment and the targets of the service classes, checked at start. Without it, the deployment has one region and no targets.',
  REDIS_URL:
    'Redis 6.2 or newer with the policy `noeviction`: the URL of a server, the URLs of the nodes of a Redis Cluster, separated by commas, or the URL of Redis Sentinels (`redis+sentinel://host:port,host:port/name`). If it is not set, the queue is stored in PostgreSQL.',
  ACCESS_TOKEN_S: 'Lifetime of an OAuth access token, in seconds.',
  PUBLIC_URL: 'URL that callers use, for the OAuth metadata. The default is the URL of the request.',
  REQUEST_MS: 'Longest time that a request may take to arrive, in milliseconds.',
  CORS_ORIGINS: 'Origins of web pages that may call the API, separated by commas.',
  TRUST_PROXY: 'Whether to trust `X-Forwarded-*` headers. Set it to true only behind a proxy of your own.',
  RATE_LIMIT_FACTOR: 'Multiplies the request quotas of all service classes.',
  RUN_WAIT_MS: 'How long a submission waits for its run before the answer is 202, in milliseconds.',
  NUMERICS_WORKERS: 'Number of numerics processes that `serve`, `demo` and PM2 start.',
  NUMERICS_CONCURRENCY: 'Number of runs that a numerics process computes at the same time.',
  IO_CONCURRENCY: 'Number of runs that an io process works on at the same time.',
  WORKER_QUEUE: 'Queue that a worker process takes runs from.',
  LOCK_MS:
    'Lock time of a job, in milliseconds. Another worker takes over the run of a dead worker after 1.5 times this value.',
  SWEEP_MS: 'Interval at which the scheduler looks for lost runs, in milliseconds.',
  DRAIN_MS: 'Longest time that a process may take to end, in milliseconds.',
  LOG_LEVEL: 'Lowest level of log lines that are written.',
  NODE_APP_INSTANCE:
    "Number of the process in a PM2 cluster, set by PM2. Only process 0 opens the operators' listener.",
  HEARTBEAT_FILE: 'File that a worker touches while it is alive, for health checks.',
  VALIDATE_RESPONSES: 'Whether to check each answer against its schema. Intended for tests.',
};

/** The kinds of processes: the services, the migration, and the operator's commands. */
export type Part = 'api' | 'console' | 'numerics' | 'io' | 'scheduler' | 'migrate' | 'operator';

const workers = ['numerics', 'io', 'scheduler'] as const;
const serving = ['api', 'console', ...workers] as const;
const every = [...serving, 'migrate', 'operator'] as const;

/**
 * The kinds of processes that read each variable. `DATABASE_URL` contains the database role of the process.
 * `serve`, compose and PM2 pass only these variables to each process. The ports of the operators' listeners
 * and the numbers of processes are set by the command that starts the processes.
 */
export const readers: Readonly<Record<keyof Config, readonly Part[]>> = {
  PORT: ['api', 'operator'],
  OPS_PORT: serving,
  CONSOLE: [],
  CONSOLE_PORT: ['console', 'operator'],
  CONSOLE_HOST: ['console'],
  CONSOLE_URL: ['console', 'operator'],
  CONSOLE_PASSWORD: ['migrate'],
  OIDC_ISSUER: ['console', 'operator'],
  OIDC_CLIENT_ID: ['console'],
  OIDC_CLIENT_SECRET: ['console'],
  OIDC_CLIENT_KEY_FILE: ['console'],
  OIDC_NAME: ['console'],
  OIDC_ALGORITHM: ['console'],
  OIDC_ACR: ['console'],
  OIDC_NETWORKS: ['console'],
  HOST: ['api', 'operator'],
  OPS_HOST: serving,
  OPS_PASSWORD: ['api'],
  ASSAY_HOME: every,
  DATABASE_URL: every,
  DATABASE_DIRECT_URL: every,
  DATABASE_POOL: ['api', 'console'],
  DATABASE_WAIT_MS: ['api', 'console'],
  OPERATOR_PASSWORD: ['migrate'],
  API_PASSWORD: ['migrate'],
  WORKER_PASSWORD: ['migrate', 'operator'],
  ENCRYPTION_KEY: ['console', 'operator'],
  SIGNING_SECRET: ['io', 'migrate', 'operator'],
  WEBHOOK_KEY: ['io', 'operator'],
  WEBHOOK_NETWORKS: ['io', 'operator'],
  AI_CONNECTION_KEY: ['io', 'operator'],
  AI_NETWORKS: ['io', 'operator'],
  QLM_PROVIDER_WAIT_S: ['api', 'io'],
  OLD_SECRET: ['operator'],
  OLD_PASSWORD: ['operator'],
  TRANSFER_SECRET: ['operator'],
  CELL_NUMBER: ['operator'],
  REDIS_URL: [...serving, 'operator'],
  ACCESS_TOKEN_S: ['api'],
  PUBLIC_URL: ['api'],
  REQUEST_MS: ['api', 'console'],
  CORS_ORIGINS: ['api'],
  DEPLOYMENT_FILE: ['api'],
  TRUST_PROXY: ['api'],
  RATE_LIMIT_FACTOR: ['api', 'console'],
  RUN_WAIT_MS: ['api', 'console'],
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

/** Matches names of variables whose values are secrets, in Assay or in other programs. */
const SECRET_NAME = /(PASSWORD|PASSWD|SECRET|TOKEN|CREDENTIALS|_KEY|_URL)$|SECRET_|PASSWORD_/i;

/**
 * Returns the environment of a process of this kind: its own variables, and all other variables that are not secrets.
 */
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

/** Reports an invalid configuration, with every invalid variable. */
export class ConfigError extends Error {}

/**
 * Reads the environment and converts strings to the types declared above. `ASSAY_HOME` is returned as an
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
