import type { Source } from './source.ts';

/** The folder of a first path segment, where it is not its own. */
const folders: Readonly<Record<string, string>> = {
  ml: 'generative',
  financial: 'planning',
  lqm: 'modeling',
  qlms: 'modeling',
  'workflow-studio': 'workflows',
  mcp: 'agents',
  oauth: 'workspace',
  benchmarking: 'workspace',
  marketplace: 'workspace',
};

export type Placed = { file: string; key: string; path: string };

/**
 * Where an operation stands: `/investment/theme-watch/...` in `api/investment/theme-watch.ts`. The file is named after
 * the second segment, or after the first where that is not the folder's own name or there is no second, or a parameter in
 * its place; a file that grew too long is a folder of that name.
 */
export function placeOf(path: string): string {
  const [first = '', ...rest] = path.slice(1).split('/');
  const second = rest.find((segment) => !segment.startsWith('{'));
  const folder = folders[first] ?? first;
  return `api/${folder}/${folder === first && second !== undefined ? second : first}`;
}

export function misplacedOperations(operations: readonly Placed[]): string[] {
  return operations
    .filter(({ file, path }) => file !== `${placeOf(path)}.ts` && !file.startsWith(`${placeOf(path)}/`))
    .map(({ file, key, path }) => `${key} stands in ${file}, not in ${placeOf(path)}.ts`);
}

/** Files that the key of a run or of housekeeping must lead to and that are not there. */
export function missingRunFiles(
  files: readonly string[],
  keys: { runs: readonly string[]; periodic: readonly string[] },
): string[] {
  const known = new Set(files);
  const wanted = [
    ...keys.runs.flatMap((key) => [
      `workers/${pathOf(key)}.ts`,
      `workers/${pathOf(key)}.compute.ts`,
      `lib/${pathOf(key)}.run.ts`,
    ]),
    ...keys.periodic.map((key) => `workers/${pathOf(key)}.ts`),
  ];
  const declared = new Set(keys.runs.map((key) => `lib/${pathOf(key)}.run.ts`));
  const strays = files.filter((file) => file.endsWith('.run.ts') && !declared.has(file));
  return [
    ...wanted.filter((file) => !known.has(file)).map((file) => `${file} is missing`),
    ...strays.map((file) => `${file} declares no run of lib/runs.ts`),
  ];
}

/** Names that do not lead to a noun in kebab-case. A migration begins with its number. */
export function misnamedFiles(files: readonly string[]): string[] {
  return files.filter(
    (file) => !file.split('/').every((part) => /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)*$/.test(part)),
  );
}

const LONGEST = 400;

/** Files above 400 lines. A migration is as long as what it creates, and declarations as what they are made from. */
export function longFiles(sources: readonly Source[]): string[] {
  return sources
    .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
    .filter(({ path, lines }) => lines > LONGEST && !/^lib\/database\/migrations\/|\.d\.ts$/.test(path))
    .map(({ path, lines }) => `${path} has ${lines} lines`);
}

function pathOf(key: string): string {
  return key.replace('.', '/');
}
