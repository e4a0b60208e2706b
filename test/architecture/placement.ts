import { manifests, served } from '#lib/products.ts';
import { foldersOf } from './products.ts';
import type { Source } from './source.ts';

export type Placed = { file: string; key: string; path: string };

/**
 * Returns the file an operation belongs in: `/investment/theme-watch/...` in `api/investment/theme-watch.ts`.
 * The folder belongs to the product that serves the path. The file is named after the second segment of the
 * path. In three cases the file is named after the first segment: the first segment differs from the folder's
 * name, there is no second segment, or the second segment is a parameter. A file that is too long becomes a
 * folder of the same name.
 */
export function placesOf(path: string): string[] {
  const [row] = rowsOf(path);
  // A product may serve a resource under the path of another product. The file of that resource's operations is then
  // named after the resource.
  const base = row && row.path.lastIndexOf('/') > 0 ? path.slice(row.path.lastIndexOf('/')) : path;
  const [first = '', ...rest] = base.slice(1).split('/');
  const second = rest.find((segment) => !segment.startsWith('{'));
  const products = new Set(rowsOf(path).map(({ folder }) => folder));
  const serving = manifests.filter(({ folder }) => products.has(folder));
  const folders = new Set(serving.flatMap(foldersOf).map((code) => code.split('/')[0]!));
  return [...folders].map(
    (folder) => `api/${folder}/${folder === first && second !== undefined ? second : first}`,
  );
}

/** Returns the rows of the product table with the longest prefix that the path has. Exactly one row should match. */
export function rowsOf(path: string): typeof served {
  const rows = served.filter((row) => `${path}/`.startsWith(`${row.path}/`));
  const longest = Math.max(...rows.map((row) => row.path.length));
  return rows.filter((row) => row.path.length === longest);
}

export function misplacedOperations(operations: readonly Placed[]): string[] {
  return operations
    .map((operation) => ({ ...operation, places: placesOf(operation.path) }))
    .filter(
      ({ file, places }) => !places.some((place) => file === `${place}.ts` || file.startsWith(`${place}/`)),
    )
    .map(
      ({ file, key, places }) =>
        `${key} is in ${file}, not in ${places.map((place) => `${place}.ts`).join(' or ')}`,
    );
}

/**
 * Returns the missing files of a run or housekeeping key. A run is declared in `<name>.run.ts` in the folder
 * of its product and carried out by `workers/<product>/<name>.ts` with `<name>.compute.ts`.
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

/** Returns the paths with a part that is not in kebab-case. The name of a migration begins with its number. */
export function misnamedFiles(files: readonly string[]): string[] {
  return files.filter(
    (file) => !file.split('/').every((part) => /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)*$/.test(part)),
  );
}

const LONGEST = 400;

/** Returns files above 400 lines. Migrations and `.d.ts` files may be longer. */
export function longFiles(sources: readonly Source[]): string[] {
  return sources
    .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
    .filter(({ path, lines }) => lines > LONGEST && !/^lib\/database\/migrations\/|\.d\.ts$/.test(path))
    .map(({ path, lines }) => `${path} has ${lines} lines`);
}

/** Returns the name of a run without its product. A key never changes, even if the folder of its product does. */
function nameOf(key: string): string {
  return key.split('.')[1]!;
}
