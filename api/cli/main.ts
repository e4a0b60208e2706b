import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { Problem } from '#lib/core/problem.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { groups, registerGroups } from './groups.ts';
import { printedHelp } from './printed-help.ts';
import { createProgram } from './program.ts';

const REFUSED = 1;

// The processes that a command starts use the same cache of compiled code. A cache that cannot be written is not used.
const CACHE = join(import.meta.dirname, '../../node_modules/.cache/assay');
process.env['NODE_COMPILE_CACHE'] ??= CACHE;
enableCompileCache(process.env['NODE_COMPILE_CACHE']);

const words = process.argv.slice(2);
const help = printedHelp(words);
if (help !== undefined) {
  process.stdout.write(help);
  process.exit();
}
const program = createProgram();
const [first, second] = words;
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
