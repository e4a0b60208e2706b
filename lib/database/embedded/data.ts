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

/** UTF-8 in code point order whatever the host's locales are, passwords over TCP, checksums on every page. */
const INITDB_OPTIONS = (
  '-U postgres -W --auth=scram-sha-256 -E UTF8 --locale-provider=builtin --builtin-locale=C.UTF-8 --locale=C ' +
  '--data-checksums --no-instructions'
).split(' ');

/**
 * Creates the data directory and a new superuser password. It is made under a name of its own and appears as
 * `postgres` only when complete, so there is never half a cluster. Throws with the words of `initdb`.
 */
export async function initialise(home: string, runner: Runner): Promise<void> {
  const password = randomBytes(24).toString('base64url');
  await writeFile(join(home, 'secrets/postgres'), `${password}\n`, { mode: 0o600 });
  const folder = await createFolder(home, runner);
  // Without a terminal initdb asks for the password on its input: no file that the other account must reach.
  const child = launch(runner, 'initdb', ['-D', folder, ...INITDB_OPTIONS], 'pipe');
  const { code, output } = await awaitExit(child, `${password}\n${password}\n`);
  if (code !== 0) {
    await rm(folder, { recursive: true, force: true });
    throw new Error(`the embedded PostgreSQL could not be set up in ${folder}:\n${output.trim()}`);
  }
  if (runner.mode === 'relocated') await symlink(folder, join(home, 'postgres'));
  else await rename(folder, join(home, 'postgres'));
}

/** Clears away what a set-up or a move that was killed half way has left. The server must be down. */
export async function repair(home: string): Promise<void> {
  const data = join(home, 'postgres');
  const link = await readlink(data).catch(() => undefined);
  if (link && !existsSync(data)) {
    throw new Error(
      `the data of ${data} are gone from ${link}; restore them, or remove the link to begin anew`,
    );
  }
  if (!existsSync(data) && existsSync(`${data}.moved`)) await rename(`${data}.moved`, data);
  for (const name of await readdir(home)) {
    if (!name.startsWith('postgres.new') && name !== 'postgres.moved') continue;
    // The killed owner's initdb may still be running; it ends by itself within a second.
    await rm(join(home, name), { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Gives existing data to whom the runner needs as owner, and moves them where it can reach them. Server down. */
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
  // chown -R comes to the folder itself last, so one that was interrupted is seen and repeated.
  await runCommand('chown', '-R', '-h', `${uid}:${gid}`, await realpath(data));
}

/**
 * Waits for what a killed server has left behind. PostgreSQL does so itself by its shared memory block, but does not
 * see the block of another account. The block's key is the inode of the data directory.
 */
async function waitUntilUnused(data: string): Promise<void> {
  const key = (await stat(data)).ino | 0;
  const isUnused = async () => {
    const blocks = (await readFile('/proc/sysvipc/shm', 'utf8').catch(() => '')).split('\n');
    const fields = blocks.map((block) => block.trim().split(/\s+/).map(Number)); // 0 key, 6 processes attached
    return fields.some(([blockKey, , , , , , attached = 0]) => blockKey === key && attached > 0)
      ? undefined
      : true;
  };
  if (await until(isUnused, { timeoutMs: 10_000 })) return;
  throw new Error(`processes of a killed server still use ${data}; end them first`);
}

async function createFolder(home: string, runner: Runner): Promise<string> {
  const place = runner.mode === 'relocated' ? join(RELOCATED, 'data-') : join(home, 'postgres.new-');
  const folder = await mkdtemp(place); // 0700, as PostgreSQL demands
  if (runner.owner) await chown(folder, runner.owner.uid, runner.owner.gid);
  return folder;
}
