/** Returns a table in the layout of the formatter: each column as wide as its widest cell. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = head.map((name, column) =>
    Math.max(3, name.length, ...cells.map((row) => row[column]!.length)),
  );
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...cells.map(line)].join('\n');
}

/** Returns a page: its title, and its parts separated by empty lines. */
export function page(title: string, ...parts: readonly string[]): string {
  return `${[`# ${title}`, PRINTED, ...parts].join('\n\n')}\n`;
}

const PRINTED = '<!-- Printed from the source by `npm run reference`. Change the source, not this page. -->';

export const code = (text: string) => `\`${text}\``;

/** Escapes text for Markdown, so that text outside of code does not become a tag. */
export function plain(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replace(/[<*]/g, '\\$&')))
    .join('');
}

/**
 * Returns the text as a sentence. It begins with a capital letter, unless it begins with a key, and it ends
 * with a full stop.
 */
export function sentence(text: string): string {
  const trimmed = text.trim().replaceAll(/\s+/g, ' ');
  if (trimmed === '') return '';
  const end = /[.!?:]$/.test(trimmed) ? '' : '.';
  const isKey = /^[a-z][\w-]*[._@]\w/.test(trimmed);
  return `${isKey ? trimmed[0]! : trimmed[0]!.toUpperCase()}${trimmed.slice(1)}${end}`;
}
