import { expect } from 'chai';
import { decideSupported } from '#lib/actions/execution/batch/batch-decision.ts';
import { decideConfirmation } from '#lib/actions/execution/evidence/confirmation.ts';
import {
  decideObservation,
  type ObservationRule,
} from '#lib/actions/execution/evidence/observation-decision.ts';
import { decideWithdrawal, obligationStates } from '#lib/actions/obligations/obligation.ts';

const fault = { pointer: '/lines', code: 'amount_range', message: 'is too large' };

describe('decideSupported', () => {
  const ruling = { ok: true, next: 'released' } as const;
  const yes = { ok: true } as const;
  const no = { ok: false, code: 'authority_insufficient', detail: 'a limit' } as const;

  it('allows a change if only the rule is required, or if rule, decider, approver and policies all allow the change', () => {
    expect(decideSupported(ruling, {})).to.equal(ruling);
    expect(decideSupported(ruling, { authority: yes, approval: yes, answer: yes })).to.equal(ruling);
  });

  it('returns the first refusal in the order rule, decider, approver, policies', () => {
    const denied = { ok: false, detail: 'frozen' } as const;
    const codeOf = (...[first, support]: Parameters<typeof decideSupported>) => {
      const verdict = decideSupported(first, support);
      return verdict.ok ? 'ok' : [verdict.code, verdict.why];
    };
    const all = { authority: no, approval: no, answer: denied };
    expect(codeOf({ ok: false, code: 'orders_changed' }, all)).to.deep.equal(['orders_changed', undefined]);
    expect(codeOf(ruling, all)).to.deep.equal(['authority_insufficient', 'a limit']);
    expect(codeOf(ruling, { ...all, authority: yes })).to.deep.equal([
      'approval_void',
      'authority_insufficient: a limit',
    ]);
    expect(codeOf(ruling, { authority: yes, approval: yes, answer: denied })).to.deep.equal([
      'policy_denied',
      'frozen',
    ]);
  });
});

describe('decideConfirmation', () => {
  const first = {
    isReleased: true,
    faults: [],
    isSame: false,
    isDependent: false,
    isContradicted: false,
  };

  it('accepts a repeated confirmation without recording the confirmation again', () => {
    expect(decideConfirmation(first)).to.deep.equal({ ok: true, isNew: true });
    const again = { ...first, isSame: true, isDependent: true, isContradicted: true };
    expect(decideConfirmation(again)).to.deep.equal({ ok: true, isNew: false });
  });

  it('checks first the state, then the faults, then the source, then contradictory records', () => {
    const all = {
      isReleased: false,
      faults: [fault],
      isSame: false,
      isDependent: true,
      isContradicted: true,
    };
    const codes = [all, { ...all, isReleased: true }, { ...all, isReleased: true, faults: [] }].map((facts) =>
      decideConfirmation(facts),
    );
    expect(codes.map((verdict) => !verdict.ok && verdict.code)).to.deep.equal([
      'batch_not_released',
      'invalid_confirmation',
      'confirmation_source_not_independent',
    ]);
    expect(decideConfirmation({ ...first, isContradicted: true })).to.deep.equal({
      ok: false,
      code: 'source_evidence_conflict',
    });
  });
});

describe('decideObservation', () => {
  const read = { ok: true } as Extract<ObservationRule['read'], { ok: true }>;
  const first: ObservationRule = { isDependent: false, isCustodianKnown: true, read, isCancelled: false };
  const differs = { same: false, kind: 'content_mismatch', differing: ['/status'] } as const;

  it('accepts a repeated observation and refuses a different observation with the same reference', () => {
    expect(decideObservation(first)).to.deep.equal({ ok: true, outcome: 'recorded' });
    expect(decideObservation({ ...first, comparison: { same: true } })).to.deep.equal({
      ok: true,
      outcome: 'seen_again',
    });
    expect(
      decideObservation({ ...first, comparison: { ...differs, differing: ['/status'] } }),
    ).to.deep.include({ code: 'observation_conflict', differing: ['/status'] });
  });

  it('checks first the source, then the custodian, then the faults, then the state', () => {
    const faulty = { ok: false, code: 'insufficient_evidence', faults: [fault] } as const;
    const wrongs: Partial<ObservationRule>[] = [
      { isDependent: true },
      { isCustodianKnown: false },
      { read: { ...faulty, faults: [fault] } },
      { isCancelled: true },
    ];
    const codes = wrongs.map((_, at) => {
      const verdict = decideObservation(Object.assign({ ...first }, ...wrongs.slice(at)));
      return !verdict.ok && verdict.code;
    });
    expect(codes).to.deep.equal([
      'custody_source_not_independent',
      'unknown_custodian',
      'insufficient_evidence',
      'batch_cancelled',
    ]);
  });

  it('refuses movements whose sum exceeds the range of JSON integers', () => {
    const verdict = decideObservation({ ...first, beyondWire: 'EUR' });
    expect(verdict).to.have.nested.property('faults[0].code', 'amount_range');
  });
});

describe('decideWithdrawal', () => {
  it('withdraws only registered or disputed records', () => {
    expect(obligationStates.filter((state) => decideWithdrawal(state).ok)).to.deep.equal([
      'registered',
      'disputed',
    ]);
  });
});
