import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { Refusal } from '#lib/core/refusal.ts';

/**
 * Reads a provider's key from a file, or from standard input for `-`. Other processes can read command-line
 * arguments, so the key is never given as an argument.
 */
export async function readProviderKey(file: string): Promise<string> {
  const content = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8').catch(() => '');
  const key = content.trim();
  if (!/^[\x21-\x7e]{8,4096}$/.test(key)) {
    throw new Refusal(
      'invalid_key',
      '--key-file takes a file with 8 to 4096 visible characters, or - for stdin',
    );
  }
  return key;
}
