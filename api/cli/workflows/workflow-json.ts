import { readFile } from 'node:fs/promises';
import { Refusal } from '#lib/core/refusal.ts';

/** Reads a JSON document from a file. `hint` is added to the refusal if the file cannot be read. */
export async function readJson(file: string, hint = ''): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Refusal('file_unreadable', `cannot read ${file}${hint}`);
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('file_malformed', `${file} is not JSON`);
  }
}
