import { Command } from 'commander';
import { Problem } from '#lib/core/problem.ts';
import { version } from '#lib/core/version.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { groups } from './groups.ts';

const REFUSED = 1;
const USAGE = 2;

const program = new Command('assay')
  .description('Assay, for operators. Add --help to any command.')
  .version(version)
  .enablePositionalOptions() // so that --version of a model is not read as the version of Assay
  .showHelpAfterError()
  .exitOverride((error) => {
    process.exit(error.exitCode === 0 ? 0 : USAGE);
  });

const requested = process.argv[2];
const wanted =
  requested !== undefined && Object.hasOwn(groups, requested) ? [requested] : Object.keys(groups);
for (const name of wanted) (await groups[name]!()).register(program);

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
