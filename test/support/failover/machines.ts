import { execFile, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Several machines on one network: network namespaces that a bridge connects. Their processes are in a process
 * namespace of their own.
 */
export type Machines = {
  /** A folder that all machines share. It is removed together with the machines. */
  folder: string;
  /** The address of the machine to which the bridge belongs. */
  hub: string;
  address(machine: string): string;
  /** Runs a program as root on a machine, or on the hub, and returns its output. */
  run(machine: string | undefined, program: string, ...words: string[]): Promise<string>;
  /** Starts a process on a machine, or on the hub. It ends at the latest together with the machines. */
  start(machine: string | undefined, command: readonly string[], options?: StartOptions): Promise<void>;
  /** The processes of a machine with their names. */
  processes(machine: string): Promise<{ pid: number; name: string }[]>;
  /** Sends a signal to those of the processes that still exist. */
  signal(signal: 'STOP' | 'CONT' | 'KILL', pids: readonly number[]): Promise<void>;
  /** Disconnects a machine from the network, or connects it again. */
  connect(machine: string, isConnected: boolean): Promise<void>;
  /** Ends all processes and removes everything that the machines have created. */
  remove(): Promise<void>;
};

type StartOptions = { env?: Record<string, string>; stdio?: StdioOptions };

/** A range of addresses for tests of networks (RFC 2544). Only the namespaces use it. */
const NETWORK = '198.18.0';
const BRIDGE = 'hub';
const ENVIRONMENT = { PATH: '/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' };

/** The first process of the namespaces. It collects ended processes, and ends when its input ends. */
const FIRST_PROCESS =
  'mount -t tmpfs none /run && mkdir /run/netns && echo ready; while read -r line; do :; done';

/** Returns why this process cannot create machines; undefined if it can. */
export async function machinesMissing(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'network namespaces need root on Linux';
  return run(
    'unshare',
    ['--mount', '--net', '--pid', '--fork', 'ip', 'link', 'add', 'probe', 'type', 'bridge'],
    {
      env: ENVIRONMENT,
    },
  ).then(
    () => undefined,
    () => 'this system does not allow network namespaces',
  );
}

/**
 * Creates machines with the given names. When this process ends in any way, the system closes the input of the first
 * process. With that process, all others and all namespaces end, and the folder is removed.
 */
export async function createMachines(names: readonly string[]): Promise<Machines> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'assay-machines-')));
  await run('chmod', ['755', folder]);
  const unshare = 'unshare --mount --net --pid --fork --mount-proc --kill-child bash --norc -c "$1"';
  // Processes outside the namespaces may still write to the folder.
  const removal = 'for turn in {1..60}; do rm -rf "$2" && break; sleep 1; done';
  ('unshare --mount --net --pid --fork --mount-proc --kill-child bash --norc -c "$1"; rm -rf "$2"');
  const holder = spawn('bash', ['--norc', '-c', `${unshare}; ${removal}`, 'bash', FIRST_PROCESS, folder], {
    cwd: '/',
    env: ENVIRONMENT,
    stdio: ['pipe', 'pipe', 'inherit'],
    // A signal from the terminal does not reach the holder, so that it can clean up.
    detached: true,
  });
  holder.stdin!.on('error', () => {});
  await once(holder.stdout!, 'data');
  const first = await childOf(await childOf(holder.pid!));
  const entered = ['--target', String(first), '--mount', '--net', '--pid', '--'];
  const within = (machine: string | undefined, command: readonly string[]) => [
    ...entered,
    ...(machine === undefined ? [] : ['ip', 'netns', 'exec', machine]),
    ...command,
  ];
  const machines: Machines = {
    folder,
    hub: `${NETWORK}.1`,
    address: (machine) => `${NETWORK}.${names.indexOf(machine) + 11}`,
    async run(machine, ...command) {
      const { stdout } = await run('nsenter', within(machine, command), { cwd: '/', env: ENVIRONMENT });
      return stdout;
    },
    async start(machine, command, { env = {}, stdio = 'ignore' } = {}) {
      // The process becomes a child of the first process. `nsenter` would stop together with a process that is stopped.
      const detached = within(machine, ['setsid', '--fork', ...command]);
      const starter = spawn('nsenter', detached, { cwd: '/', env: { ...ENVIRONMENT, ...env }, stdio });
      const [code] = await once(starter, 'exit');
      if (code !== 0) throw new Error(`${command.join(' ')} did not start (${code})`);
    },
    async processes(machine) {
      const list = 'for pid in $(ip netns pids "$0"); do echo "$pid $(cat /proc/$pid/comm)"; done';
      const lines = (await machines.run(undefined, 'bash', '--norc', '-c', list, machine)).trim().split('\n');
      return lines
        .map((line) => line.split(' '))
        .map(([pid, name = '']) => ({ pid: Number(pid), name }))
        .filter(({ name }) => name !== '');
    },
    async signal(signal, pids) {
      const send = 'for pid in "$@"; do kill "-$0" "$pid" || true; done';
      await machines.run(undefined, 'bash', '--norc', '-c', send, signal, ...pids.map(String));
    },
    async connect(machine, isConnected) {
      await machines.run(undefined, 'ip', 'link', 'set', machine, isConnected ? 'up' : 'down');
    },
    async remove() {
      if (holder.exitCode !== null) return;
      const ended = once(holder, 'exit');
      holder.stdin!.end();
      await ended;
    },
  };
  try {
    await machines.run(undefined, 'bash', '--norc', '-ec', networkOf(names, machines));
  } catch (error) {
    await machines.remove();
    throw error;
  }
  return machines;
}

function networkOf(names: readonly string[], { hub, address }: Machines): string {
  return [
    'ip link set lo up',
    `ip link add ${BRIDGE} type bridge`,
    `ip address add ${hub}/24 dev ${BRIDGE}`,
    `ip link set ${BRIDGE} up`,
    ...names.flatMap((name) => [
      `ip netns add ${name}`,
      `ip link add ${name} type veth peer name eth0 netns ${name}`,
      `ip link set ${name} master ${BRIDGE} up`,
      `ip -n ${name} address add ${address(name)}/24 dev eth0`,
      `ip -n ${name} link set lo up`,
      `ip -n ${name} link set eth0 up`,
    ]),
  ].join('\n');
}

async function childOf(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return Number(children.trim().split(' ')[0]);
}
