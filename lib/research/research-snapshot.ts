import { futureValueLeak, knownTargetLeak, targetWindowLeak } from './leakage.ts';
import type { DatedValue, LeakageFinding } from './leakage.ts';
import type { ProjectDefinition } from './project-definition.ts';
import type { MatrixColumn, SnapshotMatrix, SnapshotResult } from './research-snapshots.schema.ts';
import { contentHash, leavesOf, snapshotLeaf, snapshotRoot } from './snapshot-tree.ts';

/** The data read for a snapshot. Columns are ordered by key, and the arrays in a column by entity. */
export type SnapshotData = {
  project: SnapshotResult['project'];
  definition: ProjectDefinition;
  entities: readonly string[];
  columns: readonly (MatrixColumn & { unit: string })[];
  /** Target values that describe days after the as-of date but were known by that date. */
  knownTargets: readonly DatedValue[];
};

type Coverage = SnapshotResult['coverage'];

export type SnapshotOutcome =
  | { ok: true; result: SnapshotResult; matrix: SnapshotMatrix }
  | { ok: false; refusal: { code: 'leakage'; finding: LeakageFinding } }
  | {
      ok: false;
      refusal: { code: 'no_observations'; entities: number; features: number; coverage: Coverage };
    };

/**
 * Builds the matrix of a project as of a day, with the hashes of its columns. Returns the reason instead if the
 * snapshot is refused. An `observed` universe keeps only entities with a value of at least one feature.
 */
export function researchSnapshot(asOf: string, data: SnapshotData): SnapshotOutcome {
  const { definition, project } = data;
  const finding =
    (definition.target ? targetWindowLeak(definition.target) : undefined) ??
    futureValueLeak(datedValues(data), asOf) ??
    knownTargetLeak(data.knownTargets, asOf);
  if (finding) return { ok: false, refusal: { code: 'leakage', finding } };

  const kept = definition.universe.kind === 'observed' ? observedRows(data) : undefined;
  const rows = <T>(all: readonly T[]): T[] => (kept ? kept.map((at) => all[at]!) : [...all]);
  const entities = rows(data.entities);
  const columns = data.columns.map(({ feature, version, ...cells }) => ({
    feature,
    version,
    values: rows(cells.values),
    event_times: rows(cells.event_times),
    known_at: rows(cells.known_at),
    age_days: rows(cells.age_days),
    reasons: rows(cells.reasons),
  }));
  const coverages = columns.map(coverageOf);
  const coverage = coverages.reduce(plus, { observed: 0, never_observed: 0, stale: 0 });
  if (coverage.observed === 0) {
    const { length: features } = columns;
    return {
      ok: false,
      refusal: { code: 'no_observations', entities: entities.length, features, coverage },
    };
  }
  const content = {
    as_of_date: asOf,
    project,
    entities: entities.length,
    features: columns.length,
    coverage,
    entities_leaf_hash: snapshotLeaf(entities),
    columns: columns.map((column, at) => ({
      feature: column.feature,
      version: column.version,
      unit: data.columns[at]!.unit,
      leaf: at + 1,
      leaf_hash: snapshotLeaf(column),
      ...coverages[at]!,
    })),
  };
  const rooted = { ...content, root: snapshotRoot(leavesOf(content)) };
  return {
    ok: true,
    result: { ...rooted, content_hash: contentHash(rooted) },
    matrix: { entities, columns },
  };
}

function* datedValues({ columns, entities }: SnapshotData): Generator<DatedValue> {
  for (const { feature, event_times, known_at } of columns) {
    for (let at = 0; at < entities.length; at += 1) {
      const [eventTime, knownAt] = [event_times[at], known_at[at]];
      if (eventTime && knownAt) yield { feature, entity: entities[at]!, eventTime, knownAt };
    }
  }
}

function observedRows({ entities, columns }: SnapshotData): number[] {
  return [...entities.keys()].filter((at) => columns.some(({ values }) => values[at] !== null));
}

function coverageOf({ values, reasons }: MatrixColumn): Coverage {
  const of = (reason: string | null) => reasons.filter((each) => each === reason).length;
  return {
    observed: values.length - of('never_observed') - of('stale'),
    never_observed: of('never_observed'),
    stale: of('stale'),
  };
}

function plus(one: Coverage, other: Coverage): Coverage {
  return {
    observed: one.observed + other.observed,
    never_observed: one.never_observed + other.never_observed,
    stale: one.stale + other.stale,
  };
}
