import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file of the project: its path from the root with slashes, and its text. The checks read nothing else. */
export type Source = { path: string; text: string };

/** One import: the project file or the package that it resolves to. */
export type Import = { to: string; isOurs: boolean; isTypeOnly: boolean };

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Returns every TypeScript file of the folders, ordered by path. */
export function readSources(folders: readonly string[]): Source[] {
  return folders
    .flatMap((folder) => readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort()
    .map((file) => ({ path: file, text: readFileSync(path.join(ROOT, file), 'utf8') }));
}

/**
 * Returns the static and dynamic imports of a file. A type import is `import type`. An import with only
 * `type` entries in braces does not count as a type import, because Node still loads the module.
 */
export function importsOf(source: Source): readonly Import[] {
  const known = found.get(source) ?? findImports(source);
  found.set(source, known);
  return known;
}

const found = new WeakMap<Source, readonly Import[]>();

function findImports(source: Source): Import[] {
  const text = withoutComments(source.text);
  const fixed = text.matchAll(/\b(?:import|export)\s+(type\s+)?(?:[\w$*{}\s,]+?\sfrom\s*)?(['"])([^'"]+)\2/g);
  const lazy = text.matchAll(/\bimport\(\s*(['"`])([^'"`$]+)\1\s*\)/g);
  return [
    ...[...fixed].map(([, type, , to]) => resolve(source, to!, type !== undefined)),
    ...[...lazy].map(([, , to]) => resolve(source, to!, false)),
  ];
}

function resolve(source: Source, to: string, isTypeOnly: boolean): Import {
  if (to.startsWith('#')) return { to: to.slice(1), isOurs: true, isTypeOnly };
  if (to.startsWith('.')) {
    return { to: path.posix.join(path.posix.dirname(source.path), to), isOurs: true, isTypeOnly };
  }
  const [scope, name] = to.split('/') as [string, string];
  return { to: to.startsWith('@') ? `${scope}/${name}` : scope, isOurs: false, isTypeOnly };
}

/** Returns the text with comments replaced by spaces; line numbers do not change. */
export function withoutComments(text: string): string {
  return blank(text, false);
}

/** Returns the regular expression literals of a file as written. */
export function regexpLiterals(source: Source): string[] {
  const literals: string[] = [];
  blank(source.text, false, (literal) => literals.push(literal));
  return literals;
}

/** Returns the text with comments and the content of literals replaced by spaces, so that only code is left. */
export function codeOf(text: string): string {
  return blank(text, true);
}

const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const STRING = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/y;
const REGEXP = /\/(?! )(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/y;
/** Matches from a back quote, or from the brace that ends a `${}`, to the next of either kind. */
const TEMPLATE = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{)/y;
/**
 * A slash after one of these characters or words begins a regular expression. Every other slash, and a slash
 * before a space, is a division.
 */
const BEFORE_REGEXP = /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\breturn)\s*$/;

function blank(text: string, literalsToo: boolean, onRegexp: (literal: string) => void = () => {}): string {
  let out = '';
  /** The number of open braces inside the `${}` of each open template. */
  const braces: number[] = [];
  const take = (token: RegExp): string | undefined => {
    token.lastIndex = out.length;
    return token.exec(text)?.[0];
  };
  while (out.length < text.length) {
    const next = text[out.length]!;
    const comment = next === '/' ? take(COMMENT) : undefined;
    const isRegexp = next === '/' && comment === undefined && BEFORE_REGEXP.test(out.slice(-40));
    const literal = next === "'" || next === '"' ? take(STRING) : isRegexp ? take(REGEXP) : undefined;
    if (isRegexp && literal !== undefined) onRegexp(literal);
    if (comment !== undefined) out += spaces(comment);
    else if (literal !== undefined) out += literalsToo ? emptied(literal) : literal;
    else if (next === '`' || (next === '}' && braces.at(-1) === 0)) {
      if (next === '}') braces.pop();
      out += next;
      const chunk = take(TEMPLATE) ?? '';
      const end = chunk.endsWith('${') ? '${' : '`';
      if (end === '${') braces.push(0);
      const words = chunk.slice(0, -end.length);
      out += (literalsToo ? spaces(words) : words) + end;
    } else {
      if (next === '{' && braces.length) braces[braces.length - 1]! += 1;
      if (next === '}' && braces.length) braces[braces.length - 1]! -= 1;
      out += next;
    }
  }
  return out;
}

function emptied(literal: string): string {
  return literal[0] + spaces(literal.slice(1, -1)) + literal.at(-1);
}

function spaces(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}

/** Returns each match of the pattern in the code of a file as `path:line`. The pattern must be global. */
export function occurrences(source: Source, pattern: RegExp): { at: string; text: string }[] {
  const code = codeOf(source.text);
  return [...code.matchAll(pattern)].map((match) => ({
    at: `${source.path}:${code.slice(0, match.index).split('\n').length}`,
    text: match[0].trim(),
  }));
}
