import { existsSync } from 'node:fs';
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import path from 'node:path';
import { Client } from 'pg';
import { migrate } from '#lib/database/migrate.ts';
import { ensureDatabase } from '#lib/database/roles.ts';
import type { Cluster } from '../cluster.ts';
import { eventually } from '../runs.ts';
import { createMachines, machinesMissing, type Machines } from './machines.ts';

/** Three PostgreSQL servers under Patroni, with etcd for consensus and HAProxy in front. */
export type FailoverCluster = Omit<Cluster, 'pid'> & {
  machines: Machines;
  nodes: readonly string[];
  /** Returns the node whose Patroni holds the leader lock and whose server accepts writes; undefined if there is none. */
  primary(): Promise<string | undefined>;
  /** Whether all nodes run, one is the primary, and one is its synchronous standby. */
  isWhole(): Promise<boolean>;
  /** Kills the server of a node. */
  kill(node: string): Promise<void>;
  /** Asks the server of a node on its own port, without HAProxy. */
  ask(node: string, database: string, query: string): Promise<string>;
  /** Returns a URL that leads to a node whatever its role is, without any check. */
  urlOf(node: string, url: string): string;
};

const NODES = ['pg1', 'pg2', 'pg3'] as const;
const BIN = '/usr/lib/postgresql/15/bin';
const PROGRAMS = [
  `${BIN}/postgres`,
  `${BIN}/pg_rewind`,
  '/usr/bin/patroni',
  '/usr/bin/etcd',
  '/usr/sbin/haproxy',
  '/usr/bin/psql',
  '/usr/bin/setpriv',
  '/usr/bin/curl',
];
const USER = 'postgres';
const PASSWORD = 'superuser-of-tests';
const SQL_PORT = 5432;
const REST_PORT = 8008;

/** Settings of Patroni that decide how long a failover takes. `docs/operate/failover.md` explains them. */
export const PATRONI = {
  ttl: 20,
  loop_wait: 2,
  retry_timeout: 5,
  primary_start_timeout: 0,
  synchronous_mode: true,
};

/**
 * Settings of PostgreSQL for a small machine. Without `fsync`, only a power failure of the whole machine loses data:
 * what a killed process has written is in the system's cache.
 */
const PARAMETERS = {
  shared_buffers: '32MB',
  fsync: 'off',
  max_connections: 100,
  max_wal_size: '512MB',
  wal_keep_size: '128MB',
  // A primary that is cut off waits this long for its standbys before it becomes a standby itself.
  wal_sender_timeout: '5s',
  password_encryption: 'scram-sha-256',
};

/** Returns what is missing for a failover cluster on this machine; undefined if nothing is. */
export async function failoverMissing(): Promise<string | undefined> {
  const absent = PROGRAMS.filter((program) => !existsSync(program));
  return absent.length > 0 ? `${absent.join(', ')} not installed` : machinesMissing();
}

/** Starts the cluster. Everything that it starts or writes ends together with this process. */
export async function startFailoverCluster(): Promise<FailoverCluster> {
  const machines = await createMachines(NODES);
  try {
    return await startOn(machines);
  } catch (error) {
    await machines.remove();
    throw error;
  }
}

async function startOn(machines: Machines): Promise<FailoverCluster> {
  const { folder, hub } = machines;
  const user = await accountOf(USER);
  const home = path.join(folder, 'assay');
  await mkdir(home);
  for (const name of ['etcd', ...NODES]) {
    await mkdir(path.join(folder, name));
    await chown(path.join(folder, name), user.uid, user.gid);
  }
  const asUser = ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
  await machines.start(undefined, [...asUser, 'etcd', ...etcdOptions(folder, hub)]);
  for (const node of NODES) {
    const file = path.join(folder, `${node}.json`);
    await writeFile(file, JSON.stringify(patroniConfig(machines, node), null, 2));
    await machines.start(node, [
      ...asUser,
      'bash',
      '--norc',
      '-c',
      'exec patroni "$0" >"$1" 2>&1',
      file,
      path.join(folder, node, 'log'),
    ]);
  }
  const listeners = await startProxy(machines);
  const urlAt = (port: number, database: string) =>
    `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/${database}`;
  const superuserUrl = (database: string) => urlAt(listeners.primary, database);

  const rest = async (node: string, route: string): Promise<boolean> => {
    const url = `http://${machines.address(node)}:${REST_PORT}${route}`;
    const words = [
      '--silent',
      '--output',
      '/dev/null',
      '--write-out',
      '%{http_code}',
      '--max-time',
      '2',
      url,
    ];
    return (await machines.run(undefined, 'curl', ...words).catch(() => '')) === '200';
  };
  const firstOf = async (route: string) => {
    const answers = await Promise.all(NODES.map((node) => rest(node, route)));
    return NODES[answers.indexOf(true)];
  };
  const cluster: FailoverCluster = {
    home,
    machines,
    nodes: NODES,
    superuserUrl,
    primary: () => firstOf('/primary'),
    async isWhole() {
      const [primary, synchronous] = [await firstOf('/primary'), await firstOf('/synchronous')];
      const replicas = await Promise.all(NODES.map((node) => rest(node, '/replica')));
      return primary !== undefined && synchronous !== undefined && replicas.filter(Boolean).length === 2;
    },
    async kill(node) {
      const file = path.join(folder, node, 'data', 'postmaster.pid');
      const [pid] = (await machines.run(undefined, 'cat', file)).split('\n');
      await machines.signal('KILL', [Number(pid)]);
    },
    async ask(node, database, query) {
      const words = ['--no-psqlrc', '--tuples-only', '--no-align', '--command', query];
      const url = `postgres://${USER}:${PASSWORD}@${machines.address(node)}/${database}?connect_timeout=2`;
      return (await machines.run(node, 'psql', ...words, url)).trim();
    },
    urlOf(node, url) {
      const direct = new URL(url);
      direct.port = String(listeners[node]);
      return direct.href;
    },
    emptyDatabase: (name) => createDatabase(superuserUrl, name),
    async freshDatabase(name) {
      const ownerUrl = await createDatabase(superuserUrl, name);
      await migrate(ownerUrl);
      return ownerUrl;
    },
    release: machines.remove,
  };
  await eventually(() => cluster.isWhole(), 'a primary with two standbys');
  return cluster;
}

async function createDatabase(superuserUrl: (database: string) => string, name: string): Promise<string> {
  const client = new Client({ connectionString: superuserUrl('postgres') });
  await client.connect();
  try {
    return await ensureDatabase(client, superuserUrl('postgres'), name);
  } finally {
    await client.end();
  }
}

function etcdOptions(folder: string, hub: string): string[] {
  const client = `http://${hub}:2379`;
  const peer = 'http://127.0.0.1:2380';
  // Patroni 3.0.2, which Debian 12 has, overwrites the lock of another node through version 3 of the API when it wakes
  // from a freeze (patroni/patroni pull request 2689).
  return [
    ['--enable-v2=true', '--data-dir', path.join(folder, 'etcd')],
    ['--listen-client-urls', client],
    ['--advertise-client-urls', client],
    ['--listen-peer-urls', peer],
    ['--initial-advertise-peer-urls', peer],
    ['--initial-cluster', `default=${peer}`],
  ].flat();
}

function patroniConfig({ folder, hub, address }: Machines, node: string) {
  const own = path.join(folder, node);
  return {
    scope: 'assay',
    name: node,
    restapi: { listen: `${address(node)}:${REST_PORT}`, connect_address: `${address(node)}:${REST_PORT}` },
    etcd: { host: `${hub}:2379` },
    bootstrap: {
      dcs: { ...PATRONI, postgresql: { use_pg_rewind: true, parameters: PARAMETERS } },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
    },
    postgresql: {
      listen: `${address(node)}:${SQL_PORT}`,
      connect_address: `${address(node)}:${SQL_PORT}`,
      data_dir: path.join(own, 'data'),
      bin_dir: BIN,
      pgpass: path.join(own, 'pgpass'),
      authentication: {
        superuser: { username: USER, password: PASSWORD },
        replication: { username: 'replicator', password: PASSWORD },
      },
      pg_hba: [
        'local all all trust',
        'host all all 0.0.0.0/0 scram-sha-256',
        'host replication replicator 0.0.0.0/0 scram-sha-256',
      ],
      parameters: { unix_socket_directories: own },
    },
  };
}

/**
 * Starts HAProxy on the network of the machines. It takes over listeners of this process, so that it can be reached
 * from outside that network. Returns the port that leads to the primary, and a port for each node.
 */
async function startProxy(machines: Machines): Promise<Record<'primary' | (string & {}), number>> {
  const file = path.join(machines.folder, 'haproxy.cfg');
  const names = ['primary', ...NODES];
  await writeFile(file, proxyConfig(machines));
  const listeners = await Promise.all(names.map(listen));
  const fds = listeners.map((listener) => (listener as unknown as { _handle: { fd: number } })._handle.fd);
  await machines.start(undefined, ['haproxy', '-db', '-f', file], {
    stdio: ['ignore', 'ignore', 'ignore', ...fds],
  });
  const ports = listeners.map((listener) => (listener.address() as { port: number }).port);
  for (const listener of listeners) listener.close();
  return Object.fromEntries(names.map((name, at) => [name, ports[at]!])) as Record<'primary', number>;
}

async function listen(): Promise<Server> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** The file descriptor of the first listener that HAProxy takes over. */
const FIRST_FD = 3;

function proxyConfig({ address }: Machines): string {
  const servers = NODES.map(
    (node) => `  server ${node} ${address(node)}:${SQL_PORT} check port ${REST_PORT}`,
  );
  const direct = NODES.flatMap((node, at) => [
    `listen ${node}`,
    `  bind fd@${FIRST_FD + 1 + at}`,
    `  server ${node} ${address(node)}:${SQL_PORT}`,
  ]);
  return [
    'defaults',
    '  mode tcp',
    '  timeout connect 2s',
    '  timeout client 1h',
    '  timeout server 1h',
    '  timeout check 1s',
    '  option clitcpka',
    '  option srvtcpka',
    'listen primary',
    `  bind fd@${FIRST_FD}`,
    '  option httpchk GET /primary',
    '  http-check expect status 200',
    '  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions',
    ...servers,
    ...direct,
    '',
  ].join('\n');
}

async function accountOf(name: string): Promise<{ uid: number; gid: number }> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const [, , uid, gid] = lines.find(([each]) => each === name)!;
  return { uid: Number(uid), gid: Number(gid) };
}
