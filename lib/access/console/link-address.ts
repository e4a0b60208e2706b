import type { Config } from '#lib/core/config.ts';

/** The port of the console if none is configured. */
export const CONSOLE_PORT = 3010;

/**
 * Returns the address of a sign-in link. The secret of the link is in the fragment, which browsers send to no server,
 * so no log contains the secret.
 */
export function consoleLink(
  config: Partial<Pick<Config, 'CONSOLE_URL' | 'CONSOLE_PORT'>>,
  secret: string,
): string {
  const base = config.CONSOLE_URL ?? `http://localhost:${config.CONSOLE_PORT || CONSOLE_PORT}`;
  return `${base}/console/sign-in#${secret}`;
}
