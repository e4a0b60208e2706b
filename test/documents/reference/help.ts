import type { Command } from 'commander';
import { groups, registerGroups } from '#api/cli/groups.ts';
import { createProgram } from '#api/cli/program.ts';

/** The width of the printed help, in columns. */
const WIDTH = 80;

/** Returns the help of every command by its path, as a JSON document. */
export async function helpDocument(): Promise<string> {
  const texts: Record<string, string> = {};
  for (const name of Object.keys(groups)) {
    // As in the program, only one group is registered at a time.
    const program = createProgram();
    await registerGroups(program, [name]);
    for (const command of program.commands) collect(command, [], texts);
  }
  return `${JSON.stringify(texts, null, 2)}\n`;
}

function collect(command: Command, above: readonly string[], texts: Record<string, string>): void {
  const path = [...above, command.name()];
  texts[path.join(' ')] = helpOf(command);
  for (const each of command.commands) collect(each, path, texts);
}

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => WIDTH });
  command.outputHelp();
  return text;
}
