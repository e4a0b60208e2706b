import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { extract, pack, type Pack } from 'tar-stream';
import { BackupRefused } from './backup-refused.ts';

/**
 * The largest size of a member, in bytes. A member is read and written as a whole, so this limit bounds the
 * memory of a backup and of a restore.
 */
export const MEMBER_BYTES_MAX = 4 * 1024 * 1024;
const MANIFEST_BYTES_MAX = 64 * 1024 * 1024;
/**
 * The largest number of members. No backup has as many. The names of all members are held in memory until
 * they have been compared with the manifest.
 */
const MEMBERS_MAX = 250_000;
/**
 * The largest size of the header and the padding of a member, in bytes. The header and the padding are each smaller
 * than a block.
 */
const HEADER_BYTES_MAX = 1024;
/**
 * The largest number of bytes that may lie outside all members. It covers the final blocks of an archive and
 * the bytes that a stream reads ahead.
 */
const OUTSIDE_BYTES_MAX = 1024 * 1024;

/**
 * The gzip compression level. Compression is twice as fast as at the default level, and files are about a tenth larger.
 */
const GZIP_LEVEL = 3;

export type Member = { name: string; content: Buffer };

/**
 * Writes a gzip-compressed tar under a temporary name, and renames it when it is complete. Only the owner may read the
 * file. An existing file is replaced only with `force`.
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
    this.#written.catch(() => {}); // reported by the next `add` or by `finish`
  }

  /** Adds a member. Resolves when the stream accepts more data. */
  async add({ name, content }: Member, writtenAt: Date): Promise<void> {
    try {
      const added = Promise.withResolvers<void>();
      this.#pack.entry({ name, mode: 0o600, mtime: writtenAt }, content, (error) =>
        error ? added.reject(error) : added.resolve(),
      );
      await added.promise;
    } catch (error) {
      this.#pack.destroy();
      await this.#written; // fails with the cause, such as a full disk
      throw error;
    }
  }

  async finish(): Promise<void> {
    this.#pack.finalize();
    await this.#written;
    if (!this.#force) refuseExisting(this.#file);
    await rename(this.#partial, this.#file);
  }

  /** Removes the unfinished file. */
  async abort(): Promise<void> {
    this.#pack.destroy();
    await this.#written.catch(() => {});
    await rm(this.#partial, { force: true });
  }
}

/** Reads the members of an archive in order. Refuses a file that is truncated, or not an archive. */
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
  reading.catch(() => {}); // the iteration below throws the same error
  try {
    for await (const entry of members) {
      const { name, size = 0, type } = entry.header;
      if (type !== 'file' || size > MANIFEST_BYTES_MAX)
        throw new Error(`${name} is not a member of an Assay backup`);
      listedBytes += size + HEADER_BYTES_MAX;
      if (++count > MEMBERS_MAX) throw new Error(`the file has more than ${MEMBERS_MAX} members`);
      const chunks: Buffer[] = [];
      for await (const chunk of entry) chunks.push(chunk);
      yield { name, content: Buffer.concat(chunks) };
    }
    await reading;
  } catch (error) {
    if (error instanceof BackupRefused) throw error;
    const { syscall, message } = error as NodeJS.ErrnoException;
    throw syscall === undefined
      ? new BackupRefused('backup_damaged', `${file} is truncated, or not a backup: ${message}`, {
          cause: error,
        })
      : new BackupRefused('file_unreadable', message, { cause: error });
  }
}

/**
 * Returns a stream that passes an archive on, and fails if more than 1 MiB lies outside the listed members.
 * Without this limit, a header could state a name of any length, which would be held in memory, and empty
 * blocks could continue without end.
 */
function limitedOutside(listedBytes: () => number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      const isOver = bytes - listedBytes() > OUTSIDE_BYTES_MAX;
      done(isOver ? new Error('more than 1 MiB of the file lies outside its archive members') : null, chunk);
    },
  });
}

export function refuseExisting(file: string): void {
  if (existsSync(file)) throw new BackupRefused('file_exists', `${file} already exists; --force replaces it`);
}
