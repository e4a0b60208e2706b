import { expect } from 'chai';
import { decideFeature, type DefineFacts } from '#lib/data/feature/define.ts';

const wanted = {
  key: 'momentum',
  entityType: 'instrument',
  unit: 'return',
  frequency: 'monthly',
  expression: 'return(adj_close, 1)',
  maxAgeDays: 45,
  description: 'The return of a month.',
  dataset: 'dst_1',
} as const;
const facts: DefineFacts = {
  owner: { uid: 'per_1', name: 'Ann', state: 'active' },
  dataset: { id: 7, kind: 'prices' },
  known: undefined,
};

describe('the effect of defining a feature', () => {
  const first = decideFeature(facts, wanted);
  if (!first.ok) throw new Error(first.detail);
  const known: NonNullable<DefineFacts['known']> = {
    status: 'active',
    entityType: 'instrument',
    description: wanted.description,
    ownerUid: 'per_1',
    last: { ...first.computed, version: 3 },
  };
  const outcome = (changes: Partial<DefineFacts>, said: object = {}) => {
    const verdict = decideFeature({ ...facts, ...changes }, { ...wanted, ...said });
    return verdict.ok ? `${verdict.change} ${verdict.version}` : verdict.code;
  };

  it('is a new version if the computation or its unit differs, a new description if only the text or owner differs', () => {
    expect(outcome({})).to.equal('defined 1');
    expect(outcome({ known })).to.equal('unchanged 3');
    expect(outcome({ known }, { description: 'Another.' })).to.equal('described 3');
    expect(outcome({ known: { ...known, ownerUid: 'per_2' } })).to.equal('described 3');
    for (const said of [{ unit: 'ratio' }, { maxAgeDays: 46 }, { expression: 'return(close, 1)' }]) {
      expect(outcome({ known }, said), JSON.stringify(said)).to.equal('version_added 4');
    }
    expect(outcome({ known, dataset: { id: 8, kind: 'prices' } })).to.equal('version_added 4');
  });

  it('is a rejection for an unknown owner or dataset, an invalid expression, a retired feature or another entity type', () => {
    expect(outcome({ owner: undefined })).to.equal('person_unknown');
    expect(outcome({ dataset: undefined })).to.equal('dataset_unknown');
    expect(outcome({}, { expression: 'no_such(close)' })).to.equal('definition_invalid');
    expect(outcome({ known: { ...known, status: 'retired' } })).to.equal('feature_retired');
    expect(outcome({ known: { ...known, entityType: 'company' } })).to.equal('entity_type_fixed');
  });
});
