import type { Backend } from './backends.ts';
import { runHosted } from './cli-hosts.ts';

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
  const { status, stdout, stderr } = await runHosted({
    words,
    env: {
      PATH: process.env['PATH']!,
      ASSAY_HOME: '/nowhere/to/be/found',
      ...(backend
        ? { DATABASE_URL: backend.ownerUrl, REDIS_URL: backend.redis?.url ?? '', ...backend.variables }
        : { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }),
    },
  });
  // One document, in one line or in many, and not many of a line each.
  const isJson = stdout.startsWith('{') && !stdout.includes('}\n{');
  return { status, stdout, stderr, json: isJson ? JSON.parse(stdout) : undefined };
}
