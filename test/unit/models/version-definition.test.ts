import { expect } from 'chai';
import type { NumericDataset } from '#lib/data/numeric-dataset.write.ts';
import { decideRetrainingData } from '#lib/models/training/retraining-data.ts';
import {
  decideDefinition,
  type DefinitionFacts,
  type VersionRequest,
} from '#lib/models/training/version-definition.ts';
import { decideChoice } from '#lib/models/registry/choose-version.ts';

const dataset = {
  id: 7,
  uid: 'dst_7',
  revision: 2,
  contentHash: 'a'.repeat(64),
  columns: [
    { name: 'Y', type: 'number', unit: 'log_return' },
    { name: 'A', type: 'number', unit: 'log_return' },
  ],
  hasDates: true,
  governance: { governed: true },
  snapshots: null,
} as unknown as NumericDataset;
const facts: DefinitionFacts = {
  environment: 'sandbox',
  dataset,
  feature: { key: 'log_return_1m', version: 1, id: 5, unit: 'log_return', maxAgeDays: 45 },
  versions: new Map(),
};
const ridge: VersionRequest = {
  family: 'ridge',
  dataset: 7,
  maxAgeDays: 45,
  regimesMax: 3,
  target: 'Y',
  horizon: 1,
  fits: { ridge: { family: 'ridge', lambda: null } },
  members: [],
};

describe('the definition of a model version', () => {
  const answer = (said: Partial<VersionRequest>, of: Partial<DefinitionFacts> = {}) => {
    const verdict = decideDefinition({ ...ridge, ...said }, { ...facts, ...of });
    return verdict.ok ? verdict.definition : verdict.code;
  };

  it('lists the columns with their units, in the order of UTF-16 code units', () => {
    expect(answer({})).to.deep.equal({
      family: 'ridge',
      columns: [
        { name: 'A', unit: 'log_return' },
        { name: 'Y', unit: 'log_return' },
      ],
      dataset: { id: 7, uid: 'dst_7', revision: 2, content_hash: 'a'.repeat(64) },
      max_age_days: 45,
      prediction: { target: 'Y', horizon: 1, fit: { family: 'ridge', lambda: null } },
    });
    const regimes = answer({ family: 'regime_ghmm', target: undefined, factors: ['A'] });
    expect(regimes).to.deep.include({ columns: [{ name: 'A', unit: 'log_return' }], regimes_max: 3 });
    const store = { feature: 'log_return_1m', toleranceDays: 7 };
    expect(answer({ store })).to.deep.include({
      store: { feature: 'log_return_1m', version: 1, version_id: 5, tolerance_days: 7 },
    });
  });

  it('is rejected for an unusable dataset, target, column, feature or member, with a code for each case', () => {
    const store = { feature: 'log_return_1m', toleranceDays: 7 };
    const governance: NumericDataset['governance'] = { governed: false, reasons: ['owner_missing'] };
    const snapshots = { environment: 'production' };
    const cases: [string, Partial<VersionRequest>, Partial<DefinitionFacts>][] = [
      ['dataset_unknown', {}, { dataset: null }],
      ['dataset_not_governed', {}, { dataset: { ...dataset, governance } }],
      ['snapshots_elsewhere', {}, { dataset: { ...dataset, snapshots } as NumericDataset }],
      ['dataset_without_days', {}, { dataset: { ...dataset, hasDates: false } }],
      ['target_invalid', { target: undefined }, {}],
      ['target_invalid', { family: 'regime_ghmm' }, {}],
      ['target_invalid', { factors: ['Y'], horizon: 0 }, {}],
      ['column_unknown', { factors: ['B'] }, {}],
      ['feature_unknown', { store }, { feature: undefined }],
      ['max_age_invalid', { store, maxAgeDays: 46 }, {}],
      ['unit_differs', { store }, { feature: { ...facts.feature!, unit: 'ratio' } }],
      ['family_invalid', { fits: {} }, {}],
      ['members_invalid', { family: 'ensemble' }, {}],
    ];
    for (const [code, said, of] of cases) expect(answer(said, of), code).to.equal(code);
  });

  it('of a retrained version equals the definition of the drifted version except for the dataset', () => {
    const definition = answer({}) as Exclude<ReturnType<typeof answer>, string>;
    const newer = { ...dataset, id: 8, uid: 'dst_8', revision: 1 };
    const data = { environment: 'sandbox', definition, dataset: newer, assessedRevision: undefined } as const;
    expect(decideRetrainingData(data)).to.deep.include({
      definition: { ...definition, dataset: { ...definition.dataset, id: 8, uid: 'dst_8', revision: 1 } },
    });
    expect(decideRetrainingData({ ...data, assessedRevision: 2 })).to.include({ code: 'dataset_changed' });
    const columns = newer.columns.slice(1);
    expect(decideRetrainingData({ ...data, dataset: { ...newer, columns } })).to.include({
      code: 'columns_differ',
    });
  });
});

describe('the version of a built-in model for a workspace', () => {
  it('can be an approved version or null, but no other version', () => {
    const known = [
      { version: '1.0.0', state: 'approved' },
      { version: '1.1.0', state: 'evaluated' },
    ];
    const answer = (version: string | null, of = known) => {
      const verdict = decideChoice('model', version, of);
      return verdict.ok ? 'ok' : verdict.code;
    };
    expect([answer('1.0.0'), answer(null)]).to.deep.equal(['ok', 'ok']);
    expect([answer('1.1.0'), answer('2.0.0')]).to.deep.equal(['model_not_approved', 'model_not_approved']);
    expect(answer(null, [])).to.equal('model_unknown');
  });
});
