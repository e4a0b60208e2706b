import {
  Cluster,
  Redis,
  SentinelConnector,
  type RedisOptions,
  type SentinelConnectionOptions,
} from 'ioredis';

/** Milliseconds until the first attempt to connect again; each further attempt waits that much longer. */
const RETRY_STEP_MS = 100;
/** The longest wait between two attempts to connect, in milliseconds. A failover takes a few seconds. */
const RETRY_MS_MAX = 1_000;
/** Time limit in milliseconds of a connection to, and of a question to, a Sentinel. */
const SENTINEL_MS = 2_000;
const SENTINEL_PORT = 26_379;

const SENTINEL_URL = new RegExp(
  [
    '^(?<scheme>rediss?)\\+sentinel://',
    '(?:(?<username>[^:@/?,]*):(?<password>[^@/?,]*)@)?',
    '(?<hosts>[^@/?]+)/(?<name>[^/?]+)(?:/(?<db>\\d+))?(?:\\?(?<query>.*))?$',
  ].join(''),
);

/** The options of a client that do not change the type of its replies. An option is either set or absent. */
export type ClientOptions = {
  [Name in Exclude<keyof RedisOptions, 'replyMapping' | 'retryStrategy' | 'scripts'>]?: Exclude<
    RedisOptions[Name],
    undefined
  >;
} & {
  retryStrategy?: (attempts: number) => number | null;
  scripts?: Record<string, { lua: string }>;
};

/** The options with which a client connects to one server, at `url` or at the master that the Sentinels report. */
export type ServerOptions = ClientOptions & { url?: string };

/** Opens the Redis of a `REDIS_URL`. */
export function openRedis(url: string, options: ClientOptions): Redis | Cluster {
  const connection = redisConnection(url, options);
  if (connection instanceof Cluster) return connection;
  const { url: server, ...others } = connection;
  return server === undefined ? new Redis(others) : new Redis(server, others);
}

/** Returns a client for each server that a `REDIS_URL` names: each node of a cluster, otherwise the one server. */
export function openServers(url: string, options: ClientOptions): Redis[] {
  if (isSentinel(url)) return [new Redis({ ...sentinelOptions(url), ...options })];
  return url.split(',').map((node) => new Redis(node, options));
}

/**
 * Returns what a client needs to connect to the Redis of a `REDIS_URL`: the options of a client of one server, or an
 * open connection to a cluster. One `redis://` URL is one server. Several, separated by commas, are nodes of a cluster;
 * the user, the password and TLS of the first apply to all nodes, also to those that the cluster names. A
 * `redis+sentinel://` URL leads to the master that its Sentinels name.
 */
export function redisConnection(url: string, options: ClientOptions): ServerOptions | Cluster {
  if (isSentinel(url)) return { ...sentinelOptions(url), ...options };
  const nodes = url.split(',');
  if (nodes.length === 1) return { url, ...options };
  const first = new URL(nodes[0]!);
  return new Cluster(nodes, {
    redisOptions: {
      ...credentialsOf(first),
      ...(first.protocol === 'rediss:' ? { tls: {} } : {}),
      ...options,
    },
    ...(options.scripts === undefined ? {} : { scripts: options.scripts }),
    // Otherwise, commands wait without a limit while no node of the cluster is reachable.
    ...(options.enableOfflineQueue === undefined ? {} : { enableOfflineQueue: options.enableOfflineQueue }),
  });
}

/**
 * Returns the options of a client that follows the master of a group of Sentinels. `url` is
 * `redis+sentinel://user:password@host:port,host:port/name/database?sentinelUsername=...&sentinelPassword=...`, where
 * only hosts and name are required. The user and the password are those of the master; with `rediss+sentinel`, the
 * Sentinels and the master use TLS. The client also leaves a master that is frozen or has become a replica. Throws if
 * the URL does not have this form.
 */
export function sentinelOptions(url: string): ClientOptions {
  const parts = SENTINEL_URL.exec(url)?.groups;
  if (!parts) throw new Error('the URL of the Sentinels is not valid');
  const { scheme, hosts, name, db, query = '' } = parts;
  // In the query of a form, a plus sign is a space. Here it is a plus sign, as it is in the password before the hosts.
  const given = new URLSearchParams(query.replaceAll('+', '%2B'));
  return {
    sentinels: hosts!.split(',').map((each) => {
      const { hostname, port } = new URL(`redis://${each}`);
      return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || SENTINEL_PORT) };
    }),
    name: decodeURIComponent(name!),
    db: Number(db ?? 0),
    ...credentialsOf({ username: parts['username'] ?? '', password: parts['password'] ?? '' }),
    ...present('sentinelUsername', given.get('sentinelUsername')),
    ...present('sentinelPassword', given.get('sentinelPassword')),
    ...(scheme === 'rediss' ? { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
    connectTimeout: SENTINEL_MS,
    sentinelCommandTimeout: SENTINEL_MS,
    sentinelReconnectStrategy: retryMs,
    failoverDetector: true,
    Connector: MasterConnector,
    retryStrategy: retryMs,
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  };
}

/** Connects to the master that the Sentinels report. */
class MasterConnector extends SentinelConnector {
  constructor(options: unknown) {
    super(options as SentinelConnectionOptions);
  }

  /**
   * Ends the previous connection with its watch for failovers first. A failover that the old watch reports would otherwise
   * end the new attempt while it asks the Sentinels, and the client would never connect again.
   */
  override connect(
    ...given: Parameters<SentinelConnector['connect']>
  ): ReturnType<SentinelConnector['connect']> {
    this.disconnect();
    return super.connect(...given);
  }
}

function isSentinel(url: string): boolean {
  return /^rediss?\+sentinel:/.test(url);
}

function retryMs(attempts: number): number {
  return Math.min(attempts * RETRY_STEP_MS, RETRY_MS_MAX);
}

function credentialsOf({ username, password }: { username: string; password: string }): ClientOptions {
  return {
    ...present('username', decodeURIComponent(username)),
    ...present('password', decodeURIComponent(password)),
  };
}

function present<Name extends string>(name: Name, value: string | null): { [name in Name]?: string } {
  return value ? ({ [name]: value } as { [name in Name]: string }) : {};
}
