import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { awaitExit, CHILD_ENVIRONMENT } from './process.ts';

/**
 * How PostgreSQL, which refuses to run as root, is run:
 * - `direct`: as the ordinary user that we are;
 * - `account`: we are root, the server runs as another account that can reach its files;
 * - `namespace`: we are root in a folder closed to others; in a user namespace of its own the server appears to be an
 *   ordinary user and yet reaches root's files;
 * - `relocated`: as `account`, with binaries and data under /var/lib, since neither of the two works here.
 */
export type RunMode = 'direct' | 'account' | 'namespace' | 'relocated';

type Account = { uid: number; gid: number };

export type Runner = {
  mode: RunMode;
  /** The folder with `bin`, `lib` and `share`. */
  binaries: string;
  /** Who must own the data; left out for an ordinary user, who owns everything. */
  owner?: Account;
  /** Identity to take on before the program starts. */
  identity?: Account;
  /** Command to put before the program. */
  prefix: string[];
};

/** Where `relocated` keeps its files. Nothing here is ever removed by us: a home may be away only for a while. */
export const RELOCATED = '/var/lib/assay-embedded';

/**
 * The first way to run PostgreSQL on this home that works, by trying. `mode` allows only that one.
 * Throws when none works.
 */
export async function chooseRunner(options: {
  home: string;
  binaries: string;
  mode?: RunMode;
}): Promise<Runner> {
  const { home, binaries, mode } = options;
  if (process.getuid?.() !== 0) return { mode: 'direct', binaries, prefix: [] };

  const data = join(home, 'postgres');
  const folder = existsSync(data) ? dirname(await realpath(data)) : home;
  const account = await chooseAccount(home);
  const identity = { uid: account.uid | 0, gid: account.gid | 0 };
  const asAccount: Runner = { mode: 'account', binaries, owner: account, identity, prefix: [] };
  const inNamespace: Runner = {
    mode: 'namespace',
    binaries,
    owner: { uid: 0, gid: 0 },
    // initdb looks its user up, so the uid that root appears as must be one that exists.
    prefix: ['unshare', '-U', `--map-user=${account.uid}`, `--map-group=${account.gid}`],
  };
  for (const runner of [asAccount, inNamespace]) {
    if ((mode ?? runner.mode) === runner.mode && (await canReach(runner, folder))) return runner;
  }
  if ((mode ?? 'relocated') === 'relocated') {
    const relocated: Runner = { ...asAccount, mode: 'relocated', binaries: await relocateBinaries(binaries) };
    if (await canReach(relocated, RELOCATED)) return relocated;
  }
  throw new Error(
    `PostgreSQL refuses to run as root, and no other way works in ${home}${mode ? ` (mode ${mode})` : ''}; ` +
      'run as an ordinary user or set DATABASE_URL',
  );
}

/** Starts a PostgreSQL program, detached: no terminal and no signal of ours reaches it. */
export function launch(runner: Runner, program: string, args: string[], stdio: StdioOptions): ChildProcess {
  const [file = '', ...rest] = [...runner.prefix, join(runner.binaries, 'bin', program), ...args];
  return spawn(file, rest, { cwd: '/', env: CHILD_ENVIRONMENT, detached: true, stdio, ...runner.identity });
}

/** Runs a system command that must succeed. Only for root's modes, which exist where these commands do. */
export async function runCommand(file: string, ...args: string[]): Promise<void> {
  const { code, output } = await awaitExit(spawn(file, args, { cwd: '/', env: CHILD_ENVIRONMENT }));
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} failed: ${output.trim()}`);
}

/** Whether the runner can enter a folder and execute PostgreSQL: tried for real, since modes and ACLs deceive. */
async function canReach({ binaries, prefix, identity }: Runner, folder: string): Promise<boolean> {
  const script = 'cd "$1" && exec "$2" --version';
  const [file = '', ...args] = [...prefix, 'sh', '-c', script, 'sh', folder, join(binaries, 'bin/postgres')];
  try {
    const child = spawn(file, args, { cwd: '/', env: CHILD_ENVIRONMENT, ...identity });
    return (await awaitExit(child)).code === 0;
  } catch {
    return false; // not allowed to take on the identity
  }
}

/** The ordinary user who owns the home, so that it stays usable for that user; else `nobody`. */
async function chooseAccount(home: string): Promise<Account> {
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const { uid: owner } = await stat(home);
  const entry =
    accounts.find(([, , uid]) => owner !== 0 && Number(uid) === owner) ??
    accounts.find(([name]) => name === 'nobody');
  if (!entry) {
    throw new Error('PostgreSQL refuses to run as root, and there is no account "nobody"; set DATABASE_URL');
  }
  // macOS lists nobody as -2, which files show unsigned and only spawn takes signed.
  return { uid: Number(entry[2]) >>> 0, gid: Number(entry[3]) >>> 0 };
}

/** Copies the binaries, once per version, to where every account can reach them. */
async function relocateBinaries(binaries: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(binaries, '../package.json'), 'utf8')) as {
    version: string;
  };
  const target = join(RELOCATED, `binaries-${version}`);
  if (existsSync(target)) return target;
  await mkdir(RELOCATED, { recursive: true });
  await chmod(RELOCATED, 0o755);
  const copy = await mkdtemp(join(RELOCATED, 'binaries.new-'));
  await runCommand('cp', '-a', `${binaries}/.`, copy);
  await runCommand('chmod', '-R', 'a+rX', copy);
  try {
    await rename(copy, target);
  } catch (error) {
    await rm(copy, { recursive: true, force: true });
    if (!existsSync(target)) throw error; // else another home's start was faster
  }
  return target;
}
