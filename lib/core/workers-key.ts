import type { Config } from './config.ts';
import { Refusal } from './refusal.ts';

/**
 * A key that the workers share: the variable that sets it, and the function that derives it from the workers' password
 * if it is not set.
 */
export type WorkersKey = {
  variable: 'SIGNING_SECRET' | 'WEBHOOK_KEY' | 'AI_CONNECTION_KEY';
  code: string;
  keyOf(given: string | undefined, password: string): Buffer;
};

/** Returns the key. Throws a refusal if the key is not set and the password is unknown. */
export function workersKey(
  { variable, code, keyOf }: WorkersKey,
  config: Config,
  password: string | undefined,
): Buffer {
  const given = config[variable];
  if (given === undefined && password === undefined)
    throw new Refusal(code, `set ${variable} for this command and for the workers`);
  return keyOf(given, password ?? '');
}
