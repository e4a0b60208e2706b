import type { ColumnRules } from './columns.ts';

/** What a kind of file may have, for people: its columns, and what else they may be called. */
export function describeColumns(rules: ColumnRules): string {
  const { required, optional = [], ignored = [] } = rules;
  const width = Math.max(...[...required, ...optional].map((name) => name.length));
  const line = (name: string, need: string) => {
    const others = rules.aliases?.[name] ?? [];
    return `  ${name.padEnd(width)}  ${need}${others.length ? `; also ${others.join(', ')}` : ''}`;
  };
  return [
    'Columns, in any order. Case, and what stands between words, make no difference:',
    ...required.map((name) => line(name, 'required')),
    ...optional.map((name) => line(name, 'optional')),
    ...(ignored.length ? [`Known, and not used: ${ignored.join(', ')}.`] : []),
  ].join('\n');
}
