import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Backend } from './backends.ts';

export type Printed = { status: number; stdout: string; stderr: string; json: any };

/** Runs an operator's command against a backend, or without any database at all. */
export async function assay(
  backend:
    | (Pick<Backend, 'ownerUrl'> & {
        redis?: { url: string } | undefined;
        /** Further variables of its environment. */
        variables?: Readonly<Record<string, string>>;
      })
    | undefined,
  ...words: string[]
): Promise<Printed> {
  const child = spawn(process.execPath, ['api/cli/main.ts', ...words], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      ASSAY_HOME: '/nowhere/to/be/found',
      ...(backend
        ? { DATABASE_URL: backend.ownerUrl, REDIS_URL: backend.redis?.url ?? '', ...backend.variables }
        : { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [status] = (await ended) as [number];
  // One document, in one line or in many, and not many of a line each.
  const isJson = stdout.startsWith('{') && !stdout.includes('}\n{');
  return { status, stdout, stderr, json: isJson ? JSON.parse(stdout) : undefined };
}
