import { readFile } from 'node:fs/promises';
import { Refusal } from '#lib/core/refusal.ts';

/** Reads a file that contains a JSON object. Throws a refusal if the file contains anything else. */
export async function readJson(file: string): Promise<object> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Refusal('file_unreadable', `cannot read ${file}`);
  });
  try {
    const written: unknown = JSON.parse(text);
    if (typeof written === 'object' && written !== null && !Array.isArray(written)) return written;
  } catch (error) {
    throw new Refusal('file_invalid', `${file} is not JSON: ${(error as Error).message}`);
  }
  throw new Refusal('file_invalid', `${file} is not a JSON object`);
}
