import { expect } from 'chai';
import { seal } from '#lib/core/seal.ts';
import { researchSnapshot } from '#lib/research/research-snapshot.ts';
import { snapshotFaults, type StoredSnapshot } from '#lib/research/snapshot-check.ts';
import { mixedCurrencies, seriesColumns, seriesRow } from '#lib/research/snapshot-series.ts';

const cells = (feature: string, values: number[]) => ({
  feature,
  version: 1,
  unit: 'ratio',
  values,
  event_times: values.map(() => '2020-01-31T00:00:00Z'),
  known_at: values.map(() => '2020-01-31T00:00:00Z'),
  age_days: values.map(() => 0),
  reasons: values.map(() => null),
});

function stored(): StoredSnapshot {
  const outcome = researchSnapshot('2020-01-31', {
    project: { id: 1, version: 1, definition_sha256: '0'.repeat(64) },
    definition: { universe: { kind: 'observed' }, features: [], target: null, calendar: 'any_day' },
    entities: ['A', 'B'],
    columns: [cells('f', [1, 2]), cells('g', [3, 4])],
    knownTargets: [],
  });
  if (!outcome.ok) throw new Error('no snapshot');
  const { result, matrix } = outcome;
  const members = { kind: 'quant.research-snapshots', result };
  return structuredClone({ uid: 'rss', members, seal: seal(members, new Date(0)), ...matrix });
}

describe('the check of a sealed snapshot', () => {
  it('reports no fault of an unchanged snapshot, for all or some of its columns', () => {
    const whole = stored();
    expect(snapshotFaults(whole)).to.deep.equal([]);
    expect(snapshotFaults({ ...whole, columns: whole.columns.slice(1) })).to.deep.equal([]);
  });

  const changes: [string, string, (snapshot: StoredSnapshot) => void][] = [
    ['value', 'column g', ({ columns }) => (columns[1]!.values[0] = 9)],
    [
      'time at which a value became known',
      'column f',
      ({ columns }) => (columns[0]!.known_at[1] = '2019-01-01T00:00:00Z'),
    ],
    ['order of entities', 'entities', ({ entities }) => entities.reverse()],
    [
      'member of the result',
      'result',
      ({ members }) => ((members['result'] as { as_of_date: string }).as_of_date = '2019-01-31'),
    ],
    ['hash of the seal', 'seal.hash', ({ seal: made }) => (made.hash = '0'.repeat(64))],
  ];
  for (const [what, named, change] of changes) {
    it(`reports a changed ${what}`, () => {
      const snapshot = stored();
      change(snapshot);
      expect(snapshotFaults(snapshot)).to.deep.equal([named]);
    });
  }

  it('reports the root if a leaf was changed and the seal was computed again', () => {
    const snapshot = stored();
    const members = structuredClone(snapshot.members);
    (members['result'] as { columns: { leaf_hash: string }[] }).columns[0]!.leaf_hash = '0'.repeat(64);
    expect(snapshotFaults({ ...snapshot, members, seal: seal(members, new Date(0)) })).to.deep.equal([
      'root',
    ]);
  });
});

describe('a series of snapshots', () => {
  const section = {
    day: '2020-01-31',
    entities: ['A', 'C'],
    features: [
      [1, 2],
      [3, null],
    ],
  };

  it('has one column per entity for one feature, and one per entity and feature for several features', () => {
    const one = { features: [{ key: 'f', version: 1 }], entities: ['A', 'B'] };
    const names = (shape: typeof one) => seriesColumns(shape).map(({ name }) => name);
    expect(names(one)).to.deep.equal(['A', 'B']);
    const two = { ...one, features: [...one.features, { key: 'g', version: 1 }] };
    expect(names(two)).to.deep.equal(['A.f', 'B.f', 'A.g', 'B.g']);
    const { values } = seriesRow({ ...two, entities: ['A', 'B', 'C'] }, section);
    expect(values).to.deep.equal([1, null, 2, 3, null, null]);
  });

  it('lists its currencies only if its amounts are in several currencies', () => {
    const amount = (unit: string, currency: string | null = null) => ({ unit, currency });
    expect(mixedCurrencies([amount('USD'), amount('EUR')])).to.deep.equal(['EUR', 'USD']);
    expect(mixedCurrencies([amount('price', 'USD'), amount('price', 'EUR')])).to.deep.equal(['EUR', 'USD']);
    expect(mixedCurrencies([amount('USD', 'EUR')])).to.deep.equal(['EUR', 'USD']);
    expect(mixedCurrencies([amount('price', 'USD'), amount('price'), amount('USD')])).to.deep.equal([]);
    expect(mixedCurrencies([amount('return', 'USD'), amount('return', 'EUR')])).to.deep.equal([]);
  });
});
