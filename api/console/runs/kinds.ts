import { runs } from '#lib/runs.ts';
import type { Headline } from '#lib/core/run.ts';
import { words } from '../format.ts';

/** A kind of run as the console shows it. */
export type RunKindView = {
  /** The prefix of the uids of the runs. */
  readonly prefix: string;
  readonly key: string;
  readonly name: string;
  /** The path of the operation that reads one run. */
  readonly path: string;
  readonly headline: readonly Headline[];
};

/** All kinds of runs, in the order of their names. */
export const runKinds: readonly RunKindView[] = Object.values(runs)
  .map(({ prefix, key, resource, headline = [] }): RunKindView => ({
    prefix,
    key,
    name: nameOf(key),
    path: `${resource}/{uid}`,
    headline,
  }))
  .toSorted((one, other) => (one.name < other.name ? -1 : 1));

/** Returns the kind of a run by its uid; undefined if the uid is not that of a run. */
export function kindOfUid(uid: string): RunKindView | undefined {
  return runKinds.find(({ prefix }) => uid.startsWith(`${prefix}_`));
}

/** Returns the name of a kind of run: `investment.theme-factors` becomes `Theme factors`. */
export function nameOf(key: string): string {
  const name = words(key.split('.').at(-1)!).replace(/^qlm /, 'QLM ');
  return name[0]!.toUpperCase() + name.slice(1);
}
