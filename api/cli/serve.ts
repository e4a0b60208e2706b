import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Command } from 'commander';
import { readConfig } from '#lib/core/config.ts';
import { tell } from './output.ts';
import { startStack, unlessAborted, type Stack, type StackOptions } from './stack.ts';

/** Status of a command that was interrupted before its work was done, by the convention of shells. */
const INTERRUPTED = { SIGINT: 130, SIGTERM: 143 } as const;
/** Stopping ends within a few seconds; a run that is still computing then is done again at the next start. */
const DRAIN_MS_MAX = 6_000;

export function register(program: Command): void {
  program
    .command('serve')
    .description(
      'run all of Assay in the foreground: database (embedded by default), API, workers, scheduler',
    )
    .action(async () => {
      const config = readConfig();
      const env = { OPS_PASSWORD: opsPassword(config.OPS_PASSWORD) };
      await serveUntilInterrupted({ config, env, tell }, async (stack) => {
        tell(addresses(stack).join('\n'));
        return true;
      });
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

/**
 * Starts a stack and stops it again: at once when `prepare` answers that nobody is to be served, else on Ctrl-C or
 * SIGTERM. A signal before that gives up the start or `prepare`, and the process ends with the status of that signal. A
 * terminal interrupts the whole process group, so a second signal changes nothing.
 */
export async function serveUntilInterrupted(
  options: Omit<StackOptions, 'interrupted'>,
  prepare: (stack: Stack) => Promise<boolean>,
): Promise<void> {
  const interruption = new AbortController();
  const { signal } = interruption;
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => interruption.abort(name));
  let stack: Stack | undefined;
  let isServing = false;
  try {
    const drainMs = Math.min(options.config.DRAIN_MS, DRAIN_MS_MAX);
    const env = { ...options.env, DRAIN_MS: String(drainMs) };
    stack = await startStack({ ...options, env, interrupted: signal });
    isServing = await unlessAborted(prepare(stack), signal);
    if (isServing && !signal.aborted) await once(signal, 'abort');
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await stack?.stop();
  }
  if (signal.aborted && !isServing) process.exit(INTERRUPTED[signal.reason as keyof typeof INTERRUPTED]);
}
