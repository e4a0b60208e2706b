import { manifests, served } from '#lib/products.ts';
import { foldersOf } from './products.ts';
import type { Source } from './source.ts';

export type Placed = { file: string; key: string; path: string };

/**
 * Where an operation stands: `/investment/theme-watch/...` in `api/investment/theme-watch.ts`. The folder is one of the
 * product that serves the path. The file is named after the second segment, or after the first where that is not the
 * folder's own name or there is no second, or a parameter in its place; a file that grew too long is a folder of that name.
 */
export function placesOf(path: string): string[] {
  const [first = '', ...rest] = path.slice(1).split('/');
  const second = rest.find((segment) => !segment.startsWith('{'));
  const products = new Set(rowsOf(path).map(({ folder }) => folder));
  const serving = manifests.filter(({ folder }) => products.has(folder));
  const folders = new Set(serving.flatMap(foldersOf).map((code) => code.split('/')[0]!));
  return [...folders].map(
    (folder) => `api/${folder}/${folder === first && second !== undefined ? second : first}`,
  );
}

/** The rows of the table of products whose beginning the path has: there should be one. */
export function rowsOf(path: string): typeof served {
  return served.filter((row) => `${path}/`.startsWith(`${row.path}/`));
}

export function misplacedOperations(operations: readonly Placed[]): string[] {
  return operations
    .map((operation) => ({ ...operation, places: placesOf(operation.path) }))
    .filter(
      ({ file, places }) => !places.some((place) => file === `${place}.ts` || file.startsWith(`${place}/`)),
    )
    .map(
      ({ file, key, places }) =>
        `${key} stands in ${file}, not in ${places.map((place) => `${place}.ts`).join(' or ')}`,
    );
}

/**
 * Files that the key of a run or of housekeeping must lead to and that are not there: a run is declared in
 * `<name>.run.ts` in the folder of its product and carried out by `workers/<product>/<name>.ts` with `<name>.compute.ts`.
 */
export function missingRunFiles(
  files: readonly string[],
  keys: { runs: readonly string[]; periodic: readonly string[] },
): string[] {
  const known = new Set(files);
  const declarations = files.filter((file) => file.endsWith('.run.ts'));
  const declared = new Map(
    keys.runs.map((key) => [key, declarations.find((file) => file.endsWith(`/${nameOf(key)}.run.ts`))]),
  );
  const wanted = [...declared].flatMap(([key, file]) => {
    if (!file) return [`lib/**/${nameOf(key)}.run.ts`];
    const worker = `workers/${file.split('/')[1]}/${nameOf(key)}`;
    return [`${worker}.ts`, `${worker}.compute.ts`].filter((each) => !known.has(each));
  });
  const strays = declarations.filter((file) => ![...declared.values()].includes(file));
  const housekeeping = keys.periodic.filter(
    (key) => !files.some((file) => file.startsWith('workers/') && file.endsWith(`/${nameOf(key)}.ts`)),
  );
  return [
    ...wanted.map((file) => `${file} is missing`),
    ...housekeeping.map((key) => `workers/**/${nameOf(key)}.ts is missing`),
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

/** The name of a run behind its product. A key never changes, also where the folder of its product does. */
function nameOf(key: string): string {
  return key.split('.')[1]!;
}
