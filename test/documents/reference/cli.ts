import { Command, Help } from 'commander';
import { groups, registerGroups } from '#api/cli/groups.ts';
import { code, page, plain, sentence, table } from './markdown.ts';

/** Returns the page of every operator command, with its arguments and options. */
export async function cliPage(): Promise<string> {
  const program = new Command('assay');
  await registerGroups(program, Object.keys(groups));
  const all = [...program.commands].sort((one, other) => (one.name() < other.name() ? -1 : 1));
  return page(
    'Command line',
    '`npm run assay -- <command>` runs a command of the operator. Each command takes `--help`. Commands with `--json` print one JSON document on standard output; progress and refusals go to standard error. The exit status is 0 if the command succeeded, 1 if it was refused, and 2 if its arguments are not valid.',
    table(
      ['Group', 'Purpose'],
      all.map((group) => [
        `[${code(group.name())}](#assay-${group.name()})`,
        plain(sentence(group.description())),
      ]),
    ),
    ...all.flatMap((group) => [`## assay ${group.name()}`, ...described(group)]),
  );
}

function described(command: Command): string[] {
  const own = command.commands.filter((each) => each.name() !== 'help');
  const text = plain(sentence(command.description()));
  if (own.length === 0) return [text, ...usage(command)];
  return [text, ...own.flatMap((each) => [`### ${pathOf(each)}`, ...described(each)])];
}

function usage(command: Command): string[] {
  const help = new Help();
  const options = help.visibleOptions(command).filter(({ long }) => long !== '--help');
  const args = help.visibleArguments(command);
  const rows = [
    ...args.map((arg) => [code(arg.name()), help.argumentDescription(arg)]),
    ...options.map((option) => [code(option.flags), help.optionDescription(option)]),
  ].map(([name, text]) => [name!, plain(sentence(text!))]);
  const line = `\`\`\`text\n${help.commandUsage(command)}\n\`\`\``;
  return rows.length === 0 ? [line] : [line, table(['Argument or option', 'Meaning'], rows)];
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
