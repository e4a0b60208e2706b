import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { readConfig } from '#lib/core/config.ts';
import { notice } from '../shell/output.ts';
import { serveUntilInterrupted } from '../../process/service.ts';
import type { Stack } from '../../process/stack.ts';

export function register(program: Command): void {
  program.command('serve').action(async () => {
    const config = readConfig();
    const env = { OPS_PASSWORD: opsPassword(config.OPS_PASSWORD) };
    await serveUntilInterrupted({ config, env, notify: notice }, async (stack) => {
      notice(addresses(stack).join('\n'));
      return true;
    });
  });
}

/**
 * Returns the password of the operators' pages: the given password, or a new password that is printed once.
 */
export function opsPassword(given: string | undefined): string {
  const password = given ?? randomBytes(12).toString('base64url');
  if (given === undefined) notice(`OPS_PASSWORD is not set; for this run it is ${password} (user ops)`);
  return password;
}

export function addresses(stack: Stack): string[] {
  return [
    ...(stack.consoleUrl === undefined ? [] : [`Console          ${stack.consoleUrl}/console`]),
    `API              ${stack.url}/api/v2`,
    `API docs         ${stack.url}/docs`,
    `OpenAPI          ${stack.url}/api/v2/openapi.json`,
    `Queue dashboard  ${stack.opsUrl}/queues`,
    `Health           ${stack.url}/healthz  ${stack.url}/readyz`,
    ...[...stack.opsUrls].map(([part, url]) => `Metrics          ${url}/metrics  (${part})`),
  ];
}
