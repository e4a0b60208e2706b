import { expect } from 'chai';
import { decideDraft, LIVE_MOST, type DraftFacts } from '#lib/actions/delegations/draft.ts';
import { plainTerms } from '../../../support/delegation/world.ts';

describe('whether a delegation can be drafted', () => {
  const now = new Date('2026-04-01T00:00:00Z');
  const valid_until = '2026-05-01T00:00:00Z';
  const terms = { ...plainTerms, valid_from: null, valid_until };
  const facts: DraftFacts = {
    terms,
    now,
    outdated: [],
    replaces: null,
    replaced: null,
    isIdentityActive: true,
    live: [],
    graph: 'satisfiable',
  };
  const outcome = (change: Partial<DraftFacts>) => {
    const verdict = decideDraft({ ...facts, ...change });
    if (verdict.ok) return 'ok';
    return verdict.code === 'invalid_terms' ? verdict.faults.map((each) => each.code) : verdict.code;
  };
  const other = { uid: 'dlg_1', state: 'activated' as const, terms };

  it('takes valid terms, an active identity, and a graph that independent persons can fill', () => {
    expect(outcome({})).to.equal('ok');
    expect(outcome({ isIdentityActive: false })).to.equal('identity_not_active');
    expect(outcome({ graph: 'missing' })).to.equal('approval_graph_missing');
    expect(outcome({ graph: 'unsatisfiable' })).to.equal('approval_graph_unsatisfiable');
  });

  it('reports a time zone that does not exist alone, and other faults together', () => {
    const outdated = [{ pointer: '/action', code: 'unknown_action' as const, message: 'must be known' }];
    expect(outcome({ outdated, replaces: 'dlg_1' })).to.deep.equal(['unknown_action', 'unknown_delegation']);
    const nowhere = { ...terms, time_zone: 'Mars/Olympus' };
    expect(outcome({ outdated, terms: nowhere })).to.deep.equal(['unknown_time_zone']);
  });

  it('refuses a second delegation of the same kind, unless the draft replaces it', () => {
    expect(outcome({ live: [other] })).to.equal('equivalent_delegation_active');
    expect(outcome({ live: [{ ...other, state: 'draft' }] })).to.equal('ok');
    expect(outcome({ live: Array(LIVE_MOST).fill({ ...other, state: 'draft' }) })).to.equal(
      'delegation_limit_reached',
    );
  });
});
