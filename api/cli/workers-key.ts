import type { Config } from '#lib/core/config.ts';
import { workerPassword } from '#lib/database/roles.ts';
import { Refusal } from '#lib/core/refusal.ts';

/** A key that the workers have too: which variable sets it, and how it is made of their password where none does. */
type Shared = {
  variable: 'SIGNING_SECRET' | 'WEBHOOK_KEY' | 'AI_CONNECTION_KEY';
  code: string;
  keyOf(given: string | undefined, password: string): Buffer;
};

/** The key, by the URL of the owner or of a role. Refused where it is not set and the password cannot be told. */
export function workersKey(url: string, config: Config, { variable, code, keyOf }: Shared): Buffer {
  const [given, password] = [config[variable], workerPassword(url, config)];
  if (given === undefined && password === undefined)
    throw new Refusal(code, `set ${variable}, here and for the workers`);
  return keyOf(given, password ?? '');
}
