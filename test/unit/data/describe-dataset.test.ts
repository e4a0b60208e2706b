import { expect } from 'chai';
import {
  decideDescription,
  type DatasetDescription,
  type DescriptionFacts,
} from '#lib/data/describe-dataset.ts';
import { decideRetention } from '#lib/data/retention.ts';

const numeric: DescriptionFacts = {
  uid: 'dst_1',
  kind: 'numeric',
  workspace: 'wsp_1',
  owner: { uid: 'per_1', name: 'Ann', state: 'active' },
  numeric: { columns: [{ name: 'price' }], hasSnapshots: false },
};
const prices: DescriptionFacts = { ...numeric, kind: 'prices', owner: undefined, numeric: undefined };

describe('the description of a dataset', () => {
  const answer = (facts: DescriptionFacts, said: DatasetDescription, within?: string) => {
    const verdict = decideDescription(facts, said, within);
    return verdict.ok ? 'ok' : verdict.code;
  };

  it('allows a licence for every kind, a price basis only for prices, and owner and units only for numeric datasets', () => {
    expect(answer(prices, { licence: 'CC0-1.0', priceBasis: 'quoted' })).to.equal('ok');
    expect(answer(numeric, { owner: 'per_1', units: { price: 'USD' } })).to.equal('ok');
    expect(answer(numeric, { priceBasis: 'quoted' })).to.equal('not_prices');
    expect(answer(prices, { owner: 'per_1' })).to.equal('dataset_not_numeric');
    expect(answer(prices, { units: {} })).to.equal('dataset_not_numeric');
  });

  it('rejects a dataset of another workspace, an unknown or inactive owner, an unknown column and a sealed unit', () => {
    expect(answer(prices, { licence: 'CC0-1.0' }, 'wsp_2')).to.equal('dataset_unknown');
    expect(answer(numeric, { licence: 'CC0-1.0' }, 'wsp_1')).to.equal('ok');
    expect(answer({ ...numeric, owner: undefined }, { owner: 'per_2' })).to.equal('person_unknown');
    const gone = { uid: 'per_2', name: 'Ben', state: 'departed' as const };
    expect(answer({ ...numeric, owner: gone }, { owner: 'per_2' })).to.equal('person_not_active');
    expect(answer({ ...numeric, numeric: undefined }, { licence: 'CC0-1.0' })).to.equal('dataset_unknown');
    expect(answer(numeric, { units: { volume: '1' } })).to.equal('column_unknown');
    const sealed = { columns: [{ name: 'price' }], hasSnapshots: true };
    expect(answer({ ...numeric, numeric: sealed }, { units: { price: 'USD' } })).to.equal('units_sealed');
  });

  it('allows a retention period only for a dataset of a workspace and of a kind that supports a retention period', () => {
    const retention = (kind: 'prices' | 'numeric', workspace: string | null) => {
      const verdict = decideRetention({ kind, workspace });
      return verdict.ok ? 'ok' : verdict.code;
    };
    expect(retention('prices', 'wsp_1')).to.equal('ok');
    expect(retention('prices', null)).to.equal('dataset_of_platform');
    expect(retention('numeric', 'wsp_1')).to.equal('dataset_kind_kept');
  });
});
