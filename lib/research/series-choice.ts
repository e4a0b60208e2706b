import type { DatedSection } from './snapshot-series.ts';

export type SeriesRefusal = {
  ok: false;
  code:
    | 'project_unknown'
    | 'feature_unknown'
    | 'entity_unknown'
    | 'snapshots_missing'
    | 'snapshot_unknown'
    | 'snapshot_unsealed'
    | 'snapshots_differ'
    | 'snapshot_altered'
    | 'too_many_columns'
    | 'currencies_mixed';
  detail: string;
};

export type Chosen<T> = { ok: true; chosen: T } | SeriesRefusal;

export function refuse(code: SeriesRefusal['code'], detail: string): SeriesRefusal {
  return { ok: false, code, detail };
}

/** The features that are named, or all of the project, by key. */
export function chosenFeatures<F extends { key: string }>(
  all: readonly F[],
  named: readonly string[] | undefined,
): Chosen<readonly F[]> {
  if (named === undefined) return { ok: true, chosen: all };
  const unknown = named.find((key) => !all.some((each) => each.key === key));
  if (unknown !== undefined || named.length === 0) {
    return refuse('feature_unknown', `The project has no feature ${unknown ?? ''}.`);
  }
  return { ok: true, chosen: all.filter(({ key }) => named.includes(key)) };
}

/** The entities that are named, or all that any of the snapshots has, in code point order. */
export function chosenEntities(
  sections: readonly DatedSection[],
  named: readonly string[] | undefined,
): Chosen<string[]> {
  const known = new Set(sections.flatMap(({ entities }) => entities));
  const wanted = [...new Set(named ?? known)];
  const unknown = wanted.find((entity) => !known.has(entity));
  if (unknown !== undefined || wanted.length === 0) {
    return refuse('entity_unknown', `None of the snapshots has ${unknown ?? 'an entity'}.`);
  }
  const chosen = wanted.sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  return { ok: true, chosen };
}

type FoundSnapshot = {
  uid: string;
  project_id: number;
  project_version: number;
  as_of_date: string;
  sealed: boolean;
};

/** Why the snapshots that are named, which are found by day, do not make a series of one version of a project. */
export function snapshotRefusal(
  found: readonly FoundSnapshot[],
  uids: readonly string[],
  { id, version }: { id: number; version: number },
): SeriesRefusal | undefined {
  const unknown = uids.find((uid) => !found.some((each) => each.uid === uid));
  if (unknown) return refuse('snapshot_unknown', `There is no research snapshot ${unknown}.`);
  const open = found.find(({ sealed }) => !sealed);
  if (open) return refuse('snapshot_unsealed', `The snapshot ${open.uid} is not sealed.`);
  const other = found.find((each) => each.project_id !== id || each.project_version !== version);
  if (other) {
    const detail = `${other.uid} is of version ${other.project_version} of the project ${other.project_id}.`;
    return refuse('snapshots_differ', detail);
  }
  const repeated = found.find(({ as_of_date }, at) => found[at - 1]?.as_of_date === as_of_date);
  return repeated && refuse('snapshots_differ', `Two of the snapshots are as of ${repeated.as_of_date}.`);
}
