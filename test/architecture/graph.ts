import { importsOf, type Source } from './source.ts';

/** The imported files of each file. */
type Graph = ReadonlyMap<string, readonly string[]>;

/**
 * Files that no import names, because another file finds them by a name pattern and loads them: entities, and
 * the files that declare operations.
 */
const discovered: readonly { by: string; holds(source: Source): boolean }[] = [
  { by: 'lib/database/entities.ts', holds: ({ path }) => path.endsWith('.entity.ts') },
  {
    by: 'api/catalog.ts',
    holds: ({ path, text }) =>
      /^api\/(?!console\/)\w+\//.test(path) && /^export const \w+ = define\w+\(/m.test(text),
  },
];

/**
 * Returns the files that import one another in a cycle. Static and dynamic imports, of code and of types, are all
 * counted.
 */
export function importCycles(sources: readonly Source[]): string[] {
  const graph = graphOf(sources, () => true);
  const done = new Set<string>();
  const cycles = new Set<string>();
  const visit = (file: string, trail: readonly string[]): void => {
    const first = trail.indexOf(file);
    if (first >= 0) cycles.add(fromSmallest(trail.slice(first)).join(' -> '));
    if (first >= 0 || done.has(file)) return;
    for (const next of graph.get(file)!) visit(next, [...trail, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return [...cycles];
}

/**
 * Returns the files that no entry file imports, directly or indirectly, with value imports or type imports.
 */
export function unreachedFiles(sources: readonly Source[], entries: readonly string[]): string[] {
  const reached = reachedFrom(sources, entries, { typesToo: true });
  return sources.map(({ path }) => path).filter((path) => !reached.has(path));
}

/**
 * Returns all files reachable from the entries, including the entries. Files in `stopAt` are included, but
 * their imports are not followed.
 */
export function reachedFrom(
  sources: readonly Source[],
  entries: readonly string[],
  { typesToo = false, stopAt = [] }: { typesToo?: boolean; stopAt?: readonly string[] } = {},
): Set<string> {
  const graph = graphOf(sources, ({ isTypeOnly }) => typesToo || !isTypeOnly);
  const reached = new Set<string>();
  const open = [...entries];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (reached.has(file) || !graph.has(file)) continue;
    reached.add(file);
    if (!stopAt.includes(file)) open.push(...graph.get(file)!);
  }
  return reached;
}

function graphOf(sources: readonly Source[], counts: (each: { isTypeOnly: boolean }) => boolean): Graph {
  const known = new Set(sources.map(({ path }) => path));
  const found = new Map(
    discovered.map(({ by, holds }) => [by, sources.filter(holds).map(({ path }) => path)]),
  );
  return new Map(
    sources.map((source) => [
      source.path,
      importsOf(source)
        .filter((each) => each.isOurs && known.has(each.to) && counts(each))
        .map(({ to }) => to)
        .concat(found.get(source.path) ?? []),
    ]),
  );
}

function fromSmallest(cycle: readonly string[]): string[] {
  const first = cycle.indexOf([...cycle].sort()[0]!);
  return [...cycle.slice(first), ...cycle.slice(0, first)];
}
