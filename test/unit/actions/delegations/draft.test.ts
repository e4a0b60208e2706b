import { expect } from 'chai';
import {
  areRefusedAnyway,
  decideDraft,
  draftFaults,
  LIVE_MAX,
  timeZoneFault,
  type DraftFacts,
  type TermsFacts,
} from '#lib/actions/delegations/draft.ts';
import { plainTerms } from '../../../support/delegation/world.ts';

describe('the drafting of a delegation', () => {
  const now = new Date('2026-04-01T00:00:00Z');
  const valid_until = '2026-05-01T00:00:00Z';
  const terms = { ...plainTerms, valid_from: null, valid_until };
  const facts: DraftFacts & TermsFacts = {
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
    return verdict.ok ? 'ok' : verdict.code;
  };
  const other = { uid: 'dlg_1', state: 'activated' as const, terms };

  it('accepts valid terms, an active identity and a graph that independent persons can fill', () => {
    expect(outcome({})).to.equal('ok');
    expect(outcome({ isIdentityActive: false })).to.equal('identity_not_active');
    expect(outcome({ graph: 'missing' })).to.equal('approval_graph_missing');
    expect(outcome({ graph: 'unsatisfiable' })).to.equal('approval_graph_unsatisfiable');
  });

  it('reports all faults together', () => {
    const outdated = [{ pointer: '/action', code: 'unknown_action' as const, message: 'must be known' }];
    const faults = draftFaults({ ...facts, outdated, replaces: 'dlg_1' });
    expect(faults.map(({ code }) => code)).to.deep.equal(['unknown_action', 'unknown_delegation']);
    expect(draftFaults(facts)).to.deep.equal([]);
  });

  it('needs no workspace data to find terms that are invalid in every workspace', () => {
    const nowhere = { ...terms, time_zone: 'Mars/Olympus' };
    expect([timeZoneFault(nowhere)?.code, timeZoneFault(terms)]).to.deep.equal([
      'unknown_time_zone',
      undefined,
    ]);
    const unordered = { ...terms, budgets: { ...terms.budgets, per_action_minor: 0 } };
    expect([terms, nowhere, unordered].map(areRefusedAnyway)).to.deep.equal([false, true, true]);
  });

  it('rejects a second delegation of the same kind unless the draft replaces the first', () => {
    expect(outcome({ live: [other] })).to.equal('equivalent_delegation_active');
    expect(outcome({ live: [{ ...other, state: 'draft' }] })).to.equal('ok');
    expect(outcome({ live: Array(LIVE_MAX).fill({ ...other, state: 'draft' }) })).to.equal(
      'delegation_limit_reached',
    );
  });
});
