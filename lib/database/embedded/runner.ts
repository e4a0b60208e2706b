import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { awaitExit, CHILD_ENVIRONMENT } from './process.ts';

/**
 * The mode in which PostgreSQL is run. PostgreSQL refuses to run as root.
 * - `direct`: as the current ordinary user;
 * - `account`: the current user is root, and the server runs as another account that can reach its files;
 * - `namespace`: the current user is root, and other accounts cannot enter the home. The server runs in its own
 *   user namespace, in which it is an ordinary user that can still reach root's files;
 * - `relocated`: like `account`, with binaries and data under /var/lib, because neither `account` nor
 *   `namespace` works on this machine.
 */
export type RunMode = 'direct' | 'account' | 'namespace' | 'relocated';

type Account = { uid: number; gid: number };

export type Runner = {
  mode: RunMode;
  /** The folder with `bin`, `lib` and `share`. */
  binaries: string;
  /** The account that must own the data; omitted if the current user is an ordinary user. */
  owner?: Account;
  /** The account that runs the program; omitted for the current user. */
  identity?: Account;
  /** The command that starts the program, such as `unshare` with its options; empty if it is started directly. */
  prefix: string[];
};

/** The folder of the mode `relocated`. Its files are never removed, because a home may be missing only temporarily. */
export const RELOCATED = '/var/lib/assay-embedded';

/**
 * Tries the modes in order and returns the runner of the first mode that can run PostgreSQL on this home. If `mode` is
 * given, tries only this mode. Throws if no mode works.
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
    // initdb looks up its user, so the uid that root is mapped to must exist.
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
    `PostgreSQL refuses to run as root, and it cannot run as another user in ${home}${mode ? ` (mode ${mode})` : ''}; ` +
      'run as an ordinary user or set DATABASE_URL',
  );
}

/** Starts a PostgreSQL program, detached from the terminal and from this process's signals. */
export function launch(runner: Runner, program: string, args: string[], stdio: StdioOptions): ChildProcess {
  const [file = '', ...rest] = [...runner.prefix, join(runner.binaries, 'bin', program), ...args];
  return spawn(file, rest, { cwd: '/', env: CHILD_ENVIRONMENT, detached: true, stdio, ...runner.identity });
}

/**
 * Runs a system command that must succeed. It is used only in the modes for root, on systems that have these commands.
 */
export async function runCommand(file: string, ...args: string[]): Promise<void> {
  const { code, output } = await awaitExit(spawn(file, args, { cwd: '/', env: CHILD_ENVIRONMENT }));
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} failed: ${output.trim()}`);
}

/**
 * Whether the runner can enter a folder and execute PostgreSQL. Tries both, because permissions and ACLs do not
 * reliably show whether access is possible.
 */
async function canReach({ binaries, prefix, identity }: Runner, folder: string): Promise<boolean> {
  const script = 'cd "$1" && exec "$2" --version';
  const [file = '', ...args] = [...prefix, 'sh', '-c', script, 'sh', folder, join(binaries, 'bin/postgres')];
  try {
    const child = spawn(file, args, { cwd: '/', env: CHILD_ENVIRONMENT, ...identity });
    return (await awaitExit(child)).code === 0;
  } catch {
    return false; // this process has no permission to start a process under the other account
  }
}

/**
 * Returns the account that runs the server: the ordinary user who owns the home, so that the home stays usable for that
 * user, otherwise `nobody`.
 */
async function chooseAccount(home: string): Promise<Account> {
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const { uid: owner } = await stat(home);
  const entry =
    accounts.find(([, , uid]) => owner !== 0 && Number(uid) === owner) ??
    accounts.find(([name]) => name === 'nobody');
  if (!entry) {
    throw new Error('PostgreSQL refuses to run as root, and there is no account "nobody"; set DATABASE_URL');
  }
  // On macOS, the ids of the account nobody are -2 in /etc/passwd, but 4294967294 as the owner of a file. The unsigned
  // form is used everywhere except for spawn, which needs the signed form.
  return { uid: Number(entry[2]) >>> 0, gid: Number(entry[3]) >>> 0 };
}

/** Copies the binaries, once per version, to a folder that every account of the machine can read. */
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
    if (!existsSync(target)) throw error; // otherwise a process with another home folder has already created the copy
  }
  return target;
}
