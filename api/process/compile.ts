import { fork } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { readConfig } from '#lib/core/config.ts';
import { entriesOf } from './stack.ts';

/**
 * Starts each process once, so that Node writes the compiled code into the folder of `NODE_COMPILE_CACHE`. An image needs
 * this, because its processes cannot write. With the compiled code, they start faster and do not load the compiler, which
 * takes 20 MB. A process has no database here, so it ends as soon as its modules are loaded. Fails if the remaining code of
 * the workers cannot be loaded.
 */
const env = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ASSAY_HOME: tmpdir() };
for (const entry of entriesOf(readConfig({}))) await codeOf(entry, 'ignore');
process.exitCode = await codeOf('workers/process/load-all.ts', 'inherit');

/** Runs a file to its end, and returns its exit code. */
async function codeOf(entry: string, output: 'ignore' | 'inherit'): Promise<number> {
  const child = fork(new URL(`../../${entry}`, import.meta.url), {
    env,
    stdio: ['ignore', output, output, 'ipc'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
