import { expect } from 'chai';
import fc from 'fast-check';
import { verifyInclusion } from '#lib/audit/merkle-verify.ts';
import { addDays } from '#lib/core/date.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { targetDays, targetWindowLeak } from '#lib/research/leakage.ts';
import { researchSnapshot, type SnapshotData } from '#lib/research/research-snapshot.ts';
import { columnProof, leavesOf, snapshotLeaf, snapshotRoot } from '#lib/research/snapshot-tree.ts';

const AS_OF = '2020-01-31';
const at = (day: string) => `${day}T00:00:00Z`;

function column(
  feature: string,
  values: readonly (number | null)[],
  knownAt = at(AS_OF),
  eventTime = at(AS_OF),
) {
  return {
    feature,
    version: 1,
    unit: 'ratio',
    values: [...values],
    event_times: values.map((value) => (value === null ? null : eventTime)),
    known_at: values.map((value) => (value === null ? null : knownAt)),
    age_days: values.map((value) => (value === null ? null : 0)),
    reasons: values.map((value) => (value === null ? ('never_observed' as const) : null)),
  };
}

function data(columns: SnapshotData['columns'], more: Partial<SnapshotData> = {}): SnapshotData {
  return {
    project: { id: 1, version: 1, definition_sha256: '0'.repeat(64) },
    definition: {
      universe: { kind: 'observed' },
      features: columns.map(({ feature }) => ({ key: feature, version: 1 })),
      target: null,
      calendar: 'any_day',
    },
    entities: columns[0]!.values.map((_, place) => `E${place}`),
    columns,
    knownTargets: [],
    ...more,
  };
}

type ColumnEvidence = { index: number; size: number; root: string; proof: readonly string[] };

/**
 * Whether a column is the leaf at the given index of the Merkle tree with this root. The check reads no other
 * part of the snapshot.
 */
function verifyColumn(column: Parameters<typeof snapshotLeaf>[0], evidence: ColumnEvidence): boolean {
  return verifyInclusion({ leafHash: snapshotLeaf(column), ...evidence });
}

const refusalOf = (given: SnapshotData) => {
  const outcome = researchSnapshot(AS_OF, given);
  return outcome.ok ? undefined : outcome.refusal;
};

describe('researchSnapshot', () => {
  it('rejects a value that occurred or became known after the as-of day', () => {
    for (const [knownAt, eventTime, reason] of [
      [at('2020-02-01'), at(AS_OF), 'known_after_as_of'],
      [at('2020-02-01'), at('2020-02-01'), 'event_after_as_of'],
      [at(AS_OF), '2020-02-01T00:00:00.000001Z', 'event_after_as_of'],
    ] as const) {
      const refusal = refusalOf(data([column('a', [1]), column('b', [1], knownAt, eventTime)]));
      expect(refusal).to.deep.include({ code: 'leakage' });
      expect(refusal).to.have.nested.property('finding.reason', reason);
      expect(refusal).to.have.nested.property('finding.entity', 'E0');
    }
    expect(refusalOf(data([column('a', [1], '2020-01-31T23:59:59.999999Z')]))).to.equal(undefined);
  });

  it('rejects a target that is already known on the as-of day or whose window begins before the as-of day', () => {
    const target = { feature: 't', version: 1, horizons_months: [1], span_months: 1 };
    const known = { feature: 't', entity: 'E0', eventTime: at('2020-02-29'), knownAt: at(AS_OF) };
    const given = data([column('a', [1])]);
    const definition = { ...given.definition, target };
    expect(refusalOf({ ...given, definition, knownTargets: [known] })).to.deep.include({ code: 'leakage' });
    expect(refusalOf({ ...given, definition })).to.equal(undefined);
    const inside = { ...definition, target: { ...target, span_months: 2 } };
    expect(refusalOf({ ...given, definition: inside })).to.deep.include({ code: 'leakage' });
  });

  it('keeps only entities with a value if the universe is observed, and all entities if it is a list', () => {
    const given = data([column('a', [null, 1, null]), column('b', [null, null, 2])]);
    const observed = researchSnapshot(AS_OF, given);
    const universe = { kind: 'list' as const, entities: [...given.entities] };
    const listed = researchSnapshot(AS_OF, { ...given, definition: { ...given.definition, universe } });
    expect(observed.ok && observed.matrix.entities).to.deep.equal(['E1', 'E2']);
    expect(listed.ok && listed.matrix.entities).to.deep.equal(['E0', 'E1', 'E2']);
  });

  it('has a different content hash and leaf hash after a change of a cell', () => {
    const columns = [column('a', [1, 2]), column('b', [3, null]), column('c', [5, 6])];
    const before = researchSnapshot(AS_OF, data(columns));
    const after = researchSnapshot(
      AS_OF,
      data(columns.map((each) => (each.feature === 'b' ? { ...each, age_days: [1, null] } : each))),
    );
    if (!before.ok || !after.ok) throw new Error('both are snapshots');
    expect(after.result.content_hash).to.not.equal(before.result.content_hash);
    const changed = after.result.columns.filter(
      ({ leaf_hash }, place) => leaf_hash !== before.result.columns[place]!.leaf_hash,
    );
    expect(changed.map(({ feature }) => feature)).to.deep.equal(['b']);
    const { as_of_date, project, root } = before.result;
    expect(before.result.content_hash).to.equal(canonicalHash({ as_of_date, project, root }));
  });
});

describe('a column of a snapshot', () => {
  it('is verified by its Merkle path without other columns, for any number of columns', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.nat(), (count, pick) => {
        const columns = Array.from({ length: count }, (_, place) => column(`f${place}`, [place, null]));
        const outcome = researchSnapshot(AS_OF, data(columns));
        if (!outcome.ok) throw new Error('it is a snapshot');
        const leaves = leavesOf(outcome.result);
        const root = snapshotRoot(leaves);
        expect(root).to.equal(outcome.result.root);
        const index = 1 + (pick % count);
        const evidence = { index, size: leaves.length, root, proof: columnProof(leaves, index) };
        const mine = outcome.matrix.columns[index - 1]!;
        expect(snapshotLeaf(mine)).to.equal(leaves[index]);
        expect(verifyColumn(mine, evidence)).to.equal(true);
        expect(verifyColumn({ ...mine, values: [0.5, null] }, evidence)).to.equal(false);
        if (count > 1) {
          expect(verifyColumn(outcome.matrix.columns[index % count]!, evidence)).to.equal(false);
        }
      }),
    );
  });
});

describe('targetDays and targetWindowLeak', () => {
  it('use the last day of a month that does not have the day of the as-of date', () => {
    for (const [asOf, horizonMonths, spanMonths, after, until] of [
      ['2020-01-31', 1, 1, '2020-02-28', '2020-02-29'],
      ['2020-01-31', 1, 0, '2020-01-31', '2020-02-29'],
      ['2020-01-31', 2, 1, '2020-02-29', '2020-03-31'],
      ['2020-02-29', 1, 1, '2020-03-30', '2020-03-31'],
      ['2020-01-30', 2, 1, '2020-02-29', '2020-03-30'],
      ['2020-01-15', 1, 1, '2020-02-14', '2020-02-15'],
      ['2020-12-15', 12, 3, '2021-11-15', '2021-12-15'],
    ] as const) {
      expect(
        targetDays(asOf, { horizonMonths, spanMonths }),
        `${asOf} ${horizonMonths} ${spanMonths}`,
      ).to.deep.equal({ after, until });
    }
  });

  it('give windows that begin after the as-of date, unless a leak is reported', () => {
    const day = fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(
        day,
        fc.integer({ min: 0, max: 24 }),
        fc.integer({ min: 0, max: 24 }),
        (date, horizon, span) => {
          const asOf = date.toISOString().slice(0, 10);
          const target = { feature: 't', version: 1, horizons_months: [horizon], span_months: span };
          const leaks = targetWindowLeak(target) !== undefined;
          expect(leaks).to.equal(horizon === 0 || horizon < span);
          if (leaks) return;
          const { after, until } = targetDays(asOf, { horizonMonths: horizon, spanMonths: span });
          const first = addDays(after, 1);
          expect(first > asOf && first <= until).to.equal(true);
          // The target of the first target day covers `span` months. These months must not begin before the
          // as-of date.
          expect(
            first >= targetDays(asOf, { horizonMonths: Math.max(1, span), spanMonths: 0 }).until ||
              span === 0,
          ).to.equal(true);
        },
      ),
    );
  });
});
