import type { Config } from './config.ts';
import { Refusal } from './refusal.ts';

/** A key that the workers have too: which variable sets it, and how it is made of their password where none does. */
export type WorkersKey = {
  variable: 'SIGNING_SECRET' | 'WEBHOOK_KEY' | 'AI_CONNECTION_KEY';
  code: string;
  keyOf(given: string | undefined, password: string): Buffer;
};

/** The key itself. Refused where it is not set and nothing tells the password. */
export function workersKey(
  { variable, code, keyOf }: WorkersKey,
  config: Config,
  password: string | undefined,
): Buffer {
  const given = config[variable];
  if (given === undefined && password === undefined)
    throw new Refusal(code, `set ${variable}, here and for the workers`);
  return keyOf(given, password ?? '');
}
