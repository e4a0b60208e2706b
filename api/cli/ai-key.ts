import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { keyEncryptionKey } from '#lib/core/envelope-encryption.ts';
import type { Operator } from './operator.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { workersKey } from './workers-key.ts';

/** What wraps the keys of providers: the key that is set, or else one made of the workers' password, who use them. */
export function wrappingKey({ config, ownerUrl }: Operator): Buffer {
  return workersKey(ownerUrl, config, {
    variable: 'AI_CONNECTION_KEY',
    code: 'encryption_key_missing',
    keyOf: keyEncryptionKey,
  });
}

/** Reads a provider's key from a file, or from standard input for `-`: in an argument all processes could read it. */
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
