import { expect } from 'chai';
import fc from 'fast-check';
import { checkSeal } from '#lib/core/seal.ts';
import { costOf, microToMinor } from '#lib/workflows/cost.ts';
import { decideApproval } from '#lib/workflows/decide-step.ts';
import { isOpen } from '#lib/workflows/gate.ts';
import { buildReport } from '#lib/workflows/report.ts';
import { stepStates } from '#lib/workflows/run-states.ts';
import { resolveInput, resolveValue, ValueMissing } from '#lib/workflows/step-value.ts';
import { decideVersion, versionStates } from '#lib/workflows/version-states.ts';
import { repetitions } from '../../support/repetitions.ts';

describe('a workflow version', () => {
  for (const state of versionStates) {
    it(`in the state ${state} ${state === 'proposed' ? 'is published only by a person other than its author' : 'cannot be published'}`, () => {
      const by = (person: string) => decideVersion({ state, proposedBy: 'ann' }, 'publish', person);
      const isOpenState = state === 'proposed';
      expect(by('ben').ok).to.equal(isOpenState);
      expect(by('ann')).to.deep.include({
        code: isOpenState ? 'second_person_required' : 'transition_not_allowed',
      });
      const withdrawn = decideVersion({ state, proposedBy: 'ann' }, 'withdraw', 'ann');
      expect(withdrawn.ok).to.equal(isOpenState || state === 'published');
    });
  }
});

describe('a workflow step', () => {
  for (const state of stepStates) {
    it(`in the state ${state} is ${state === 'waiting_approval' ? 'approved only by another person in an approving role' : 'never approved'}`, () => {
      const verdict = (uid: string, roles: string[]) =>
        decideApproval({ state, isLate: false, requestedBy: 'ann' }, { uid, roles });
      const waits = state === 'waiting_approval';
      expect(verdict('ben', ['approver']).ok).to.equal(waits);
      expect(verdict('ben', ['owner']).ok).to.equal(waits);
      expect(verdict('ann', ['owner', 'approver'])).to.deep.include({
        code: waits ? 'second_person_required' : 'step_not_waiting',
      });
      expect(verdict('ben', ['reader']).ok).to.equal(false);
      const late = decideApproval(
        { state, isLate: true, requestedBy: 'ann' },
        { uid: 'ben', roles: ['owner'] },
      );
      expect(late).to.deep.equal({ ok: false, code: 'step_not_waiting' });
    });
  }
});

describe('a workflow gate', () => {
  it('opens only if values of equal type satisfy the comparison', () => {
    expect(isOpen({ op: 'in', against: ['none', 'watch'] }, 'watch')).to.equal(true);
    expect(isOpen({ op: 'in', against: ['none', 'watch'] }, 'material')).to.equal(false);
    expect([0.1, 0.2, 0.3].map((value) => isOpen({ op: 'lte', against: 0.2 }, value))).to.deep.equal([
      true,
      true,
      false,
    ]);
    expect([0.1, 0.2, 0.3].map((value) => isOpen({ op: 'gte', against: 0.2 }, value))).to.deep.equal([
      false,
      true,
      true,
    ]);
    for (const op of ['in', 'lte', 'gte'] as const) {
      for (const value of [null, undefined, [], {}, NaN, '1', true]) {
        expect(isOpen({ op, against: 1 }, value), `${op} ${String(value)}`).to.equal(false);
      }
    }
    expect(isOpen({ op: 'eq', against: 1 }, '1')).to.equal(false);
  });
});

describe('the input values of a workflow step', () => {
  const outputOf = async () => ({ result: { severity: 'none', list: [1, 2] }, 'a/b': 3 });
  const sources = { parameters: { metric: 'm', company: null }, outputOf };

  it('can be literals, parameters and values at pointers into outputs of steps, and omit null parameters', async () => {
    const input = {
      literal: 1,
      metric: { parameter: 'metric' },
      company: { parameter: 'company' },
      severity: { step: 's', pointer: '/result/severity' },
      second: { step: 's', pointer: '/result/list/1' },
      escaped: { step: 's', pointer: '/a~1b' },
      list: [1, { parameter: 'metric' }, { step: 's', pointer: '/result/list/0' }],
      whole: { literal: { parameter: 'metric' } },
    };
    expect(await resolveInput(input, sources)).to.deep.equal({
      literal: 1,
      metric: 'm',
      severity: 'none',
      second: 2,
      escaped: 3,
      list: [1, 'm', 1],
      whole: { parameter: 'metric' },
    });
  });

  it('cannot be resolved if a pointer has no target or names an inherited member', async () => {
    for (const pointer of [
      '/none',
      '/result/severity/length',
      '/result/list/length2',
      '/constructor',
      '/__proto__',
    ]) {
      const error = await resolveValue({ step: 's', pointer }, sources).catch((caught: unknown) => caught);
      expect(error, pointer).to.be.instanceOf(ValueMissing);
    }
  });
});

describe('the report of a workflow', () => {
  const context = { workflow: { key: 'k', version: 1, digest: 'd' }, parameters: {}, evidence: [] };

  it('is sealed together with its source data, so that a changed figure is detected', () => {
    const report = buildReport(context, 'Report', { level: 1 }, new Date(0))!;
    expect(checkSeal(report)).to.deep.include({ intact: true, not_covered: [] });
    expect(checkSeal({ ...report, figures: { level: 2 } })).to.deep.include({ differences: ['figures'] });
  });

  it('is not created above its maximum size', () => {
    expect(buildReport(context, 'Report', { text: 'x'.repeat(200_001) }, new Date(0))).to.equal(undefined);
  });
});

describe('the cost of a workflow run', () => {
  it('is rounded half to even to the decimals of its currency', () => {
    expect([15_000n, 25_000n, 25_001n, 4_999n].map((micro) => microToMinor(micro, 'EUR'))).to.deep.equal([
      2n,
      2n,
      3n,
      0n,
    ]);
    expect(microToMinor(1_500_000n, 'JPY')).to.equal(2n);
    expect(microToMinor(1_500n, 'KWD')).to.equal(2n);
  });

  it('I-138: is null without priced parts, and a lower bound if some parts have no price', () => {
    expect(costOf([])).to.equal(null);
    expect(costOf([{ currency: null, micro: 0n }])).to.equal(null);
    const euro = { currency: 'EUR', micro: 20_000n };
    expect(costOf([euro])).to.deep.equal({ ...euro, minor: 2n, isFloor: false });
    expect(costOf([euro, { currency: null, micro: 0n }])).to.deep.include({ minor: 2n, isFloor: true });
    expect(costOf([euro, { currency: 'USD', micro: 1n }])).to.equal(null);
  });

  it('differs from the exact cost by at most half a minor unit', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), (micro) => {
        const off = microToMinor(micro, 'EUR') * 10_000n - micro;
        expect(off <= 5_000n && off >= -5_000n).to.equal(true);
      }),
      { numRuns: repetitions.roundTrips },
    );
  });
});
