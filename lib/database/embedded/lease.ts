import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeProcess } from './process.ts';
import { until } from './until.ts';

/**
 * The time limit of a wait for the lock, in milliseconds. The limit is longer than the longest start or stop of a
 * holder.
 */
const LOCK_TIMEOUT_MS = 600_000;

/**
 * Records that this process needs the server. Returns the path of the record. The record must be removed at the end.
 */
export async function takeLease(home: string): Promise<string> {
  const lease = join(home, 'leases', await nameHolder());
  await writeFile(lease, '');
  return lease;
}

/** Whether any live process holds a lease. Removes the leases of dead processes. */
export async function hasLeases(home: string): Promise<boolean> {
  return (await sweepHolders(join(home, 'leases'))).length > 0;
}

/**
 * Runs an action under a lock of the home. No other holder, in this or another process, runs an action on the
 * same home at the same time. If the process of a holder ends, its lock is released. The lock is the folder
 * `lock` with one file named after the holder. A holder takes the lock by renaming a filled folder to `lock`.
 * The system refuses the rename unless `lock` is missing or empty, so taking the lock is one atomic step. The
 * name of a holder's file is never used again, so removing the file of an ended process cannot release
 * another holder's lock.
 */
export async function underLock<T>(home: string, action: () => Promise<T>): Promise<T> {
  const lock = join(home, 'lock');
  const holder = await nameHolder();
  const mine = join(home, 'lock.waiting', holder);
  await mkdir(mine, { recursive: true });
  await writeFile(join(mine, holder), '');
  const taken = await until(
    async () => {
      if (await tryRename(mine, lock)) return true;
      await sweepHolders(lock);
      return undefined;
    },
    { timeoutMs: LOCK_TIMEOUT_MS, everyMs: 50 },
  );
  if (!taken) {
    await rm(mine, { recursive: true, force: true });
    throw new Error(
      `another process still holds the lock ${lock} after ${LOCK_TIMEOUT_MS / 60_000} minutes; holder: ${(await readdir(lock)).join(', ')}`,
    );
  }
  try {
    await sweepHolders(join(home, 'lock.waiting')); // removes holders whose process ended while it waited
    return await action();
  } finally {
    await rm(join(lock, holder), { force: true });
  }
}

async function tryRename(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

/**
 * Returns the name of this holder: `<pid>-<start of the process>.<random>`. With the start of the process, a reused pid
 * is not mistaken for the earlier process.
 */
async function nameHolder(): Promise<string> {
  const self = await describeProcess(process.pid);
  if (!self) throw new Error('this system does not list its processes (/proc or ps); set DATABASE_URL');
  return `${process.pid}-${self.started}.${randomBytes(6).toString('hex')}`;
}

async function sweepHolders(folder: string): Promise<string[]> {
  const live: string[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const [, pid, started] = /^(\d+)-(\w+)\.\w+$/.exec(name) ?? [];
    const found = await describeProcess(Number(pid));
    if (found && found.started === started) live.push(name);
    else await rm(join(folder, name), { recursive: true, force: true });
  }
  return live;
}
