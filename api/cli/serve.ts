import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { readConfig } from '#lib/core/config.ts';
import { tell } from './output.ts';
import { startStack, type Stack } from './stack.ts';

export function register(program: Command): void {
  program
    .command('serve')
    .description(
      'run all of Assay in the foreground: database (embedded by default), API, workers, scheduler',
    )
    .action(async () => {
      const config = readConfig();
      const interrupted = untilInterrupted();
      const stack = await startStack({
        config,
        env: { OPS_PASSWORD: opsPassword(config.OPS_PASSWORD) },
        tell,
      });
      tell(addresses(stack).join('\n'));
      await interrupted;
      await stack.stop();
    });
}

/** The password of the operators' pages: the one of the environment, or a new one that is told once. */
export function opsPassword(given: string | undefined): string {
  const password = given ?? randomBytes(12).toString('base64url');
  if (given === undefined) tell(`OPS_PASSWORD is not set; this time it is ${password} (user ops)`);
  return password;
}

export function addresses(stack: Stack): string[] {
  return [
    `API              ${stack.url}/api/v2`,
    `API docs         ${stack.url}/docs`,
    `OpenAPI          ${stack.url}/api/v2/openapi.json`,
    `Queue dashboard  ${stack.opsUrl}/queues`,
    `Health           ${stack.url}/healthz  ${stack.url}/readyz`,
    ...[...stack.opsUrls].map(([part, url]) => `Metrics          ${url}/metrics  (${part})`),
  ];
}

/** Resolves on the first Ctrl-C or SIGTERM. A terminal interrupts the whole group, so a second one changes nothing. */
export function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    process.on('SIGINT', () => resolve());
    process.on('SIGTERM', () => resolve());
  });
}
