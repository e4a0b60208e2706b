import type { Backend } from './backends.ts';
import { runHosted } from './cli-hosts.ts';

export type Printed = { status: number; stdout: string; stderr: string; json: any };

type Target = Pick<Backend, 'ownerUrl'> & {
  redis?: { url: string } | undefined;
  /** Additional variables in the environment of the command. */
  variables?: Readonly<Record<string, string>>;
};

/** Runs an operator's command against a backend, or without any database at all. */
export function assay(backend: Target | undefined, ...words: string[]): Promise<Printed> {
  return runCommand(words, commandEnv(backend));
}

/** Returns the environment of commands against a backend. */
export function commandEnv(backend: Target | undefined): Record<string, string> {
  return {
    PATH: process.env['PATH']!,
    ASSAY_HOME: '/nowhere/to/be/found',
    ...(backend
      ? { DATABASE_URL: backend.ownerUrl, REDIS_URL: backend.redis?.url ?? '', ...backend.variables }
      : { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }),
  };
}

/** Runs an operator's command in a folder. The default is the project folder. */
export async function runCommand(
  words: string[],
  env: Record<string, string>,
  folder?: string,
): Promise<Printed> {
  const { status, stdout, stderr } = await runHosted({ words, env, ...(folder && { folder }) });
  // The output is parsed only if it is a single JSON document, on one line or on several. Several documents
  // of one line each are not parsed.
  const isJson = stdout.startsWith('{') && !stdout.includes('}\n{');
  return { status, stdout, stderr, json: isJson ? JSON.parse(stdout) : undefined };
}
