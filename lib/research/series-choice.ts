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

/** Returns the named features, or all features of the project, ordered by key. */
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

/** Returns the named entities, or every entity of at least one of the snapshots, in code point order. */
export function chosenEntities(
  sections: readonly DatedSection[],
  named: readonly string[] | undefined,
): Chosen<string[]> {
  const known = new Set(sections.flatMap(({ entities }) => entities));
  const wanted = [...new Set(named ?? known)];
  const unknown = wanted.find((entity) => !known.has(entity));
  if (unknown !== undefined || wanted.length === 0) {
    return refuse('entity_unknown', `None of the snapshots contains ${unknown ?? 'an entity'}.`);
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

/**
 * Returns the reason why the named snapshots do not form a series of one version of a project; undefined if they form a
 * series. The snapshots must be ordered by day.
 */
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
    const detail =
      `${other.uid} belongs to version ${other.project_version} of the project ${other.project_id}. All ` +
      'snapshots must belong to one version of one project.';
    return refuse('snapshots_differ', detail);
  }
  const repeated = found.find(({ as_of_date }, at) => found[at - 1]?.as_of_date === as_of_date);
  return (
    repeated &&
    refuse(
      'snapshots_differ',
      `Two of the snapshots have the as-of date ${repeated.as_of_date}. Choose one snapshot per day.`,
    )
  );
}
