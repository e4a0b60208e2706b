import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { Command } from 'commander';
import { Problem } from '#lib/core/problem.ts';
import { version } from '#lib/core/version.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { groups, registerGroups } from './groups.ts';

const REFUSED = 1;
const USAGE = 2;

// The processes that a command starts use the same cache of compiled code. A cache that cannot be written is not used.
const CACHE = join(import.meta.dirname, '../../node_modules/.cache/assay');
process.env['NODE_COMPILE_CACHE'] ??= CACHE;
enableCompileCache(process.env['NODE_COMPILE_CACHE']);

const program = new Command('assay')
  .description('Assay, for operators. Add --help to any command.')
  .version(version)
  .enablePositionalOptions() // so that --version of a model is not read as the version of Assay
  .showHelpAfterError()
  .exitOverride((error) => {
    process.exit(error.exitCode === 0 ? 0 : USAGE);
  });

const [first, second] = process.argv.slice(2);
const requested = first === 'help' ? second : first;
if (requested !== undefined && Object.hasOwn(groups, requested)) await registerGroups(program, [requested]);
else
  for (const [name, { description }] of Object.entries(groups))
    program.command(name).description(description);

// Node prints an uncaught error with all properties that libraries attached to it, which may contain secrets.
// The error is therefore caught here.
process.on('uncaughtException', (error: unknown) => {
  tellOf(error);
  process.exit();
});
try {
  await program.parseAsync();
} catch (error) {
  tellOf(error);
}

function tellOf(error: unknown): void {
  const known = error instanceof Refusal || error instanceof Problem;
  process.stderr.write(known ? `${error.code}: ${detailOf(error)}\n` : `${messageOf(error)}\n`);
  process.exitCode = error instanceof Refusal ? error.status : REFUSED;
}

function detailOf(error: Refusal | Problem): string {
  return error instanceof Problem ? error.detail : error.message;
}

function messageOf(error: unknown): string {
  return error instanceof Error
    ? process.env['LOG_LEVEL'] === 'debug'
      ? error.stack!
      : error.message
    : String(error);
}
