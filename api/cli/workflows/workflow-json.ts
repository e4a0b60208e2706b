import { readFile } from 'node:fs/promises';
import { Refusal } from '#lib/core/refusal.ts';

/** A JSON document of a file; `hint` is told where there is none. */
export async function readJson(file: string, hint = ''): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Refusal('file_unreadable', `cannot read ${file}${hint}`);
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('file_malformed', `${file} is no JSON`);
  }
}
