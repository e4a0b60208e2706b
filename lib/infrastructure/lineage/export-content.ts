import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

const compress = promisify(gzip);
const expand = promisify(gunzip);

/**
 * The level of compression. The texts repeat themselves, so the fastest level already makes them several times smaller,
 * in a fraction of the time that the database would take to compress them.
 */
const LEVEL = 1;

/** Compresses the content of an export, outside the main thread. */
export function compressContent(content: Uint8Array): Promise<Buffer> {
  return compress(content, { level: LEVEL });
}

/** Returns the text of a compressed content. */
export async function expandContent(compressed: Uint8Array): Promise<string> {
  return (await expand(compressed)).toString('utf8');
}
