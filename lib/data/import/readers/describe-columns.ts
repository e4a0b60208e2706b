import type { ColumnRules } from './columns.ts';

/** Describes the columns of a kind of file and their aliases, as help text. */
export function describeColumns(rules: ColumnRules): string {
  const { required, optional = [], ignored = [] } = rules;
  const width = Math.max(...[...required, ...optional].map((name) => name.length));
  const line = (name: string, need: string) => {
    const others = rules.aliases?.[name] ?? [];
    return `  ${name.padEnd(width)}  ${need}${others.length ? `; also ${others.join(', ')}` : ''}`;
  };
  return [
    'Columns, in any order. Case and separators between words do not matter:',
    ...required.map((name) => line(name, 'required')),
    ...optional.map((name) => line(name, 'optional')),
    ...(ignored.length ? [`Known columns that are not used: ${ignored.join(', ')}.`] : []),
  ].join('\n');
}
