import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chown,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { awaitExit } from './process.ts';
import { launch, RELOCATED, runCommand, type Runner } from './runner.ts';
import { until } from './until.ts';

/**
 * The options of `initdb`: UTF-8 in code point order, independent of the host's locales, passwords over TCP, and
 * checksums on every page.
 */
const INITDB_OPTIONS = (
  '-U postgres -W --auth=scram-sha-256 -E UTF8 --locale-provider=builtin --builtin-locale=C.UTF-8 --locale=C ' +
  '--data-checksums --no-instructions'
).split(' ');

/**
 * Creates the data directory and a new superuser password. The directory is created under a temporary name and renamed
 * to `postgres` when it is complete, so there is never an incomplete cluster. Throws with the output of `initdb` if
 * `initdb` fails.
 */
export async function initialise(home: string, runner: Runner): Promise<void> {
  const password = randomBytes(24).toString('base64url');
  await writeFile(join(home, 'secrets/postgres'), `${password}\n`, { mode: 0o600 });
  const folder = await createFolder(home, runner);
  // Without a terminal, initdb reads the password from its standard input. A password file would have to be
  // readable by the account that runs initdb.
  const child = launch(runner, 'initdb', ['-D', folder, ...INITDB_OPTIONS], 'pipe');
  const { code, output } = await awaitExit(child, `${password}\n${password}\n`);
  if (code !== 0) {
    await rm(folder, { recursive: true, force: true });
    throw new Error(`the embedded PostgreSQL could not be set up in ${folder}:\n${output.trim()}`);
  }
  if (runner.mode === 'relocated') await symlink(folder, join(home, 'postgres'));
  else await rename(folder, join(home, 'postgres'));
}

/**
 * Repairs the home after an interrupted set-up or move: restores data that was being moved, and removes
 * temporary folders. The server must not be running.
 */
export async function repair(home: string): Promise<void> {
  const data = join(home, 'postgres');
  const link = await readlink(data).catch(() => undefined);
  if (link && !existsSync(data)) {
    throw new Error(
      `${data} links to ${link}, which does not exist; restore ${link}, or remove the link to start with an empty database`,
    );
  }
  if (!existsSync(data) && existsSync(`${data}.moved`)) await rename(`${data}.moved`, data);
  for (const name of await readdir(home)) {
    if (!name.startsWith('postgres.new') && name !== 'postgres.moved') continue;
    // The initdb of a killed process may still create files for up to a second, so the removal is retried.
    await rm(join(home, name), { recursive: true, force: true, maxRetries: 10 });
  }
}

/**
 * Changes the owner of existing data to the account that the runner needs, and moves the data to a folder that the
 * account can reach. The server must not be running.
 */
export async function takeOwnership(home: string, runner: Runner): Promise<void> {
  if (!runner.owner) return;
  const data = join(home, 'postgres');
  const { uid, gid } = runner.owner;
  const mustMove = runner.mode === 'relocated' && !(await realpath(data)).startsWith(`${RELOCATED}/`);
  if (!mustMove && (await stat(data)).uid === uid) return;
  await waitUntilUnused(data);
  if (mustMove) {
    const folder = await createFolder(home, runner);
    await runCommand('cp', '-a', `${data}/.`, folder);
    await rename(data, `${data}.moved`);
    await symlink(folder, data);
    await rm(`${data}.moved`, { recursive: true });
  }
  // `chown -R` changes the owner of the folder itself last. After an interruption, the check of the owner
  // above fails, and the next start repeats this step.
  await runCommand('chown', '-R', '-h', `${uid}:${gid}`, await realpath(data));
}

/**
 * Waits until the processes of a killed server have ended. PostgreSQL itself detects such processes by their shared
 * memory block, whose key is the inode of the data directory. This wait is needed because PostgreSQL does not see the
 * block of another account.
 */
async function waitUntilUnused(data: string): Promise<void> {
  const key = (await stat(data)).ino | 0;
  const isUnused = async () => {
    const blocks = (await readFile('/proc/sysvipc/shm', 'utf8').catch(() => '')).split('\n');
    const fields = blocks.map((block) => block.trim().split(/\s+/).map(Number)); // field 0: key; field 6: number of attached processes
    return fields.some(([blockKey, , , , , , attached = 0]) => blockKey === key && attached > 0)
      ? undefined
      : true;
  };
  if (await until(isUnused, { timeoutMs: 10_000 })) return;
  throw new Error(`processes of a killed server still use ${data}; end them first`);
}

async function createFolder(home: string, runner: Runner): Promise<string> {
  const place = runner.mode === 'relocated' ? join(RELOCATED, 'data-') : join(home, 'postgres.new-');
  const folder = await mkdtemp(place); // 0700, as PostgreSQL requires
  if (runner.owner) await chown(folder, runner.owner.uid, runner.owner.gid);
  return folder;
}
