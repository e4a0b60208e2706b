import { argv, env, execPath } from 'node:process';
import { keepConnections } from '#api/cli/shell/operator.ts';
import { END, type HostedCommand } from './cli-hosts.ts';

/**
 * A process that runs operator commands one after another, each in its own environment. A command spends most
 * of its time loading code and connecting, which happens once in this process. A command that ends the
 * process also ends the host.
 */
const PROJECT = process.cwd();

keepConnections();
let count = 0;
process.on('message', ({ words, env: wanted, folder = PROJECT }: HostedCommand) => {
  process.chdir(folder);
  for (const name of Object.keys(env)) delete env[name];
  Object.assign(env, wanted);
  argv.splice(0, argv.length, execPath, 'api/cli/main.ts', ...words);
  process.exitCode = undefined;
  process.removeAllListeners('uncaughtException'); // added by the previous command
  count += 1;
  void run(`../../api/cli/main.ts?command=${count}`);
});
process.on('disconnect', () => process.exit());

async function run(main: string): Promise<void> {
  await import(main);
  process.stderr.write(END);
  process.stdout.write(`${process.exitCode ?? 0}${END}`);
}
