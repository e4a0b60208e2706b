import { readFileSync } from 'node:fs';

/** The help of each command by its path, as `npm run reference` prints it: 80 columns wide. */
const FILE = new URL('./help.json', import.meta.url);

/**
 * Returns the help that the words after `assay` request, without loading the commands: `<command> --help` or `help
 * <command>`. Returns undefined if the words request something else.
 */
export function printedHelp(words: readonly string[]): string | undefined {
  const [first, ...rest] = words;
  const isHelp = words.length > 1 && (first === 'help' || ['--help', '-h'].includes(words.at(-1)!));
  if (!isHelp) return undefined;
  const path = (first === 'help' ? rest : words.slice(0, -1)).join(' ');
  const texts = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, string>;
  return Object.hasOwn(texts, path) ? texts[path] : undefined;
}
