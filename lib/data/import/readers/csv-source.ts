import type { LineBlock, ReadProgress } from './line-block.ts';
import { isAscii, isUtf8 } from 'node:buffer';
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { LINE_BYTES_MAX } from './line-limit.ts';
import { parquetBlocks } from './parquet-source.ts';
import { ImportRefused } from '../load/import-refused.ts';

export type SourceOptions = {
  /** A hash that is updated with the decompressed content. */
  hash?: Hash | undefined;
  onProgress?: ((progress: ReadProgress) => void) | undefined;
};

const CHUNK_BYTES = 256 * 1024;
/**
 * The maximum compression ratio, checked once more than `RATIO_FROM_BYTES` have been decompressed. Tables
 * compress to about a tenth of their size, so a higher ratio indicates a decompression bomb.
 */
const RATIO_MAX = 200;
const RATIO_FROM_BYTES = 64 * 1024 * 1024;
const LINE_FEED = 10;
const NONE: ReadonlySet<number> = new Set();

/**
 * Returns the SHA-256 of the content of a file, decompressed if it is gzip. Throws an `ImportRefused` if the file
 * cannot be read.
 */
export async function contentHash(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of content(path)) hash.update(chunk);
  return hash.digest('hex');
}

/**
 * Yields blocks of lines of a text file (plain or gzip), or of a Parquet file converted to CSV lines. The
 * format is detected from the content, not from the name. A file of any size is read in constant memory. A
 * byte order mark is removed. Lines end with LF or CRLF. Throws an `ImportRefused` if the file cannot be read
 * or decompressed, if a line is longer than 1 MiB, or if gzip data expands to more than 200 times its size.
 */
export async function* lineBlocks(path: string, options: SourceOptions = {}): AsyncGenerator<LineBlock> {
  if ((await readHead(path)).isParquet) {
    for await (const chunk of content(path)) options.hash?.update(chunk);
    yield* parquetBlocks(path, options.onProgress);
    return;
  }
  let firstLine = 1;
  let carry: Buffer[] = [];
  for await (const chunk of content(path, options.onProgress)) {
    options.hash?.update(chunk);
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) {
      const block = decodeBlock(Buffer.concat([...carry, chunk.subarray(0, end)]), firstLine);
      carry = [];
      firstLine += block.lines.length;
      yield block;
    }
    if (end < chunk.length) carry.push(chunk.subarray(end));
    if (carry.length > LINE_BYTES_MAX / CHUNK_BYTES && byteLength(carry) > LINE_BYTES_MAX) {
      throw new ImportRefused(
        'import_refused',
        `line ${firstLine} is longer than 1 MiB; the file is not CSV`,
      );
    }
  }
  if (carry.length) yield decodeBlock(Buffer.concat(carry), firstLine);
}

/** Yields the decompressed content. Read errors are reported as a refusal and not as an internal error. */
async function* content(path: string, onProgress?: (progress: ReadProgress) => void): AsyncGenerator<Buffer> {
  try {
    const { isGzip, size } = await probe(path);
    const file = createReadStream(path, { highWaterMark: CHUNK_BYTES });
    const stream: Readable = isGzip
      ? pipeline(file, createGunzip({ chunkSize: CHUNK_BYTES }), () => {})
      : file;
    let bytes = 0;
    for await (const chunk of stream) {
      onProgress?.({ bytesRead: file.bytesRead, bytesTotal: size });
      bytes += (chunk as Buffer).length;
      if (bytes > RATIO_FROM_BYTES && bytes > RATIO_MAX * file.bytesRead) {
        throw new ImportRefused(
          'import_refused',
          `the file decompresses to more than ${RATIO_MAX} times its size`,
        );
      }
      yield chunk as Buffer;
    }
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Converts system errors of a file to a refusal. Other errors are returned unchanged. */
function unreadable(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined || error instanceof ImportRefused) return error;
  return new ImportRefused('file_unreadable', `${path} cannot be read: ${(error as Error).message}`, {
    cause: error,
  });
}

type Head = { isGzip: boolean; isParquet: boolean; size: number };

async function readHead(path: string): Promise<Head> {
  try {
    return await probe(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function probe(path: string): Promise<Head> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return {
      isGzip: bytesRead >= 2 && buffer[0] === 0x1f && buffer[1] === 0x8b,
      isParquet: buffer.toString('latin1') === 'PAR1',
      size: (await file.stat()).size,
    };
  } finally {
    await file.close();
  }
}

function decodeBlock(bytes: Buffer, firstLine: number): LineBlock {
  const plain = isAscii(bytes);
  if (!plain && !isUtf8(bytes)) return decodeByLine(bytes, firstLine);
  const text = withoutMark(bytes.toString(plain ? 'latin1' : 'utf8'), firstLine);
  const lines = text.split('\n');
  if (text.endsWith('\n')) lines.pop();
  if (text.includes('\r')) for (let at = 0; at < lines.length; at++) lines[at] = withoutReturn(lines[at]!);
  return { firstLine, lines, undecodable: NONE };
}

/**
 * Decodes a block line by line, to find the lines that are not valid UTF-8. Used if the block as a whole is
 * not valid UTF-8.
 */
function decodeByLine(bytes: Buffer, firstLine: number): LineBlock {
  const lines: string[] = [];
  const undecodable = new Set<number>();
  for (let start = 0; start < bytes.length;) {
    const feed = bytes.indexOf(LINE_FEED, start);
    const end = feed < 0 ? bytes.length : feed;
    const line = bytes.subarray(start, end);
    if (!isUtf8(line)) undecodable.add(lines.length);
    lines.push(withoutReturn(withoutMark(line.toString('utf8'), firstLine + lines.length)));
    start = end + 1;
  }
  return { firstLine, lines, undecodable };
}

function withoutMark(text: string, line: number): string {
  return line === 1 && text.startsWith('\ufeff') ? text.slice(1) : text;
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

function byteLength(buffers: readonly Buffer[]): number {
  return buffers.reduce((sum, buffer) => sum + buffer.length, 0);
}
