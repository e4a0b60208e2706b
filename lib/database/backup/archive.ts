import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { extract, pack, type Pack } from 'tar-stream';
import { BackupRefused } from './backup-refused.ts';

/** Members are read and written whole, so this bounds the memory of both. */
export const MEMBER_BYTES_MAX = 4 * 1024 * 1024;
const MANIFEST_BYTES_MAX = 64 * 1024 * 1024;
/** More members than any backup of ours has; each is remembered until all were compared with the manifest. */
const MEMBERS_MAX = 250_000;
/** The header of a member and the padding behind it, each of less than a block. */
const HEADER_BYTES_MAX = 1024;
/** What may belong to no member: the blocks at the end, and what is read ahead. */
const OUTSIDE_BYTES_MAX = 1024 * 1024;

/** Twice as fast as the default, for files about a tenth larger. */
const GZIP_LEVEL = 3;

export type Member = { name: string; content: Buffer };

/**
 * A gzip'd tar that is written beside its name and gets it only when complete, for its owner's eyes alone. An existing
 * file is replaced only where `force` says so.
 */
export class ArchiveWriter {
  readonly #file: string;
  readonly #partial: string;
  readonly #force: boolean;
  readonly #pack: Pack = pack();
  readonly #written: Promise<void>;

  constructor(file: string, { force }: { force: boolean }) {
    this.#file = file;
    this.#force = force;
    this.#partial = `${file}.${process.pid}.partial`;
    this.#written = pipeline(
      this.#pack,
      createGzip({ level: GZIP_LEVEL }),
      createWriteStream(this.#partial, { flags: 'wx', mode: 0o600, flush: true }),
    );
    this.#written.catch(() => {}); // told by the next `add` or by `finish`
  }

  /** Resolves when there is room for more. */
  async add({ name, content }: Member, writtenAt: Date): Promise<void> {
    try {
      const added = Promise.withResolvers<void>();
      this.#pack.entry({ name, mode: 0o600, mtime: writtenAt }, content, (error) =>
        error ? added.reject(error) : added.resolve(),
      );
      await added.promise;
    } catch (error) {
      this.#pack.destroy();
      await this.#written; // fails with the cause, such as a disk that is full
      throw error;
    }
  }

  async finish(): Promise<void> {
    this.#pack.finalize();
    await this.#written;
    if (!this.#force) refuseExisting(this.#file);
    await rename(this.#partial, this.#file);
  }

  /** Leaves nothing behind. */
  async abort(): Promise<void> {
    this.#pack.destroy();
    await this.#written.catch(() => {});
    await rm(this.#partial, { force: true });
  }
}

/** The members of an archive, one after the other. Refuses a file that is torn, or no archive at all. */
export async function* readArchive(file: string): AsyncGenerator<Member> {
  const members = extract();
  let count = 0;
  let listedBytes = 0;
  const reading = pipeline(
    createReadStream(file),
    createGunzip(),
    limitedOutside(() => listedBytes),
    members,
  );
  reading.catch(() => {}); // the iteration fails with it
  try {
    for await (const entry of members) {
      const { name, size = 0, type } = entry.header;
      if (type !== 'file' || size > MANIFEST_BYTES_MAX) throw new Error(`${name} is no member of ours`);
      listedBytes += size + HEADER_BYTES_MAX;
      if (++count > MEMBERS_MAX) throw new Error(`it has more than ${MEMBERS_MAX} members`);
      const chunks: Buffer[] = [];
      for await (const chunk of entry) chunks.push(chunk);
      yield { name, content: Buffer.concat(chunks) };
    }
    await reading;
  } catch (error) {
    if (error instanceof BackupRefused) throw error;
    const { syscall, message } = error as NodeJS.ErrnoException;
    throw syscall === undefined
      ? new BackupRefused('backup_damaged', `${file} is torn, or no backup: ${message}`, { cause: error })
      : new BackupRefused('file_unreadable', message, { cause: error });
  }
}

/**
 * Passes an archive on, and fails where much of it belongs to no member that was listed: a header can claim any length
 * for a name, which is then gathered in memory, and blocks of nothing can go on for ever.
 */
function limitedOutside(listedBytes: () => number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      const isOver = bytes - listedBytes() > OUTSIDE_BYTES_MAX;
      done(isOver ? new Error('too much of it belongs to no member') : null, chunk);
    },
  });
}

export function refuseExisting(file: string): void {
  if (existsSync(file))
    throw new BackupRefused('file_exists', `${file} is there already; --force replaces it`);
}
