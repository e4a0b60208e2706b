/** Returns a text as one word of a shell command, in single quotes, so that the shell expands nothing in it. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
