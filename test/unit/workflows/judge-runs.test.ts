import { expect } from 'chai';
import fc from 'fast-check';
import { judgeRuns, type EndedRun, type Judgement } from '#lib/workflows/proof-of-value/judge-runs.ts';

const window = { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2026-02-01T00:00:00Z') };
const end = window.to;
const order = { not_met: 0, insufficient_evidence: 1, met: 2 } as const;

const share = (percent: number): Judgement => ({
  ...{ statistic: 'share_succeeded', minimumRuns: 6, window },
  target: { value: { numerator: BigInt(percent), denominator: 100n }, direction: 'increase' },
});

/** Runs that end in the window, shortly before it, or at its end. */
const runs: fc.Arbitrary<EndedRun[]> = fc.array(
  fc.record({
    state: fc.constantFrom('succeeded', 'failed', 'cancelled', 'timed_out'),
    endedAt: fc
      .integer({ min: -2, max: 744 })
      .map((hours) => new Date(window.from.getTime() + hours * 3_600_000)),
    value: fc.constantFrom('1', '2.5', '10', null),
  }),
  { maxLength: 60 },
);

describe('the judgement of a proof of value', () => {
  it('has no verdict before the end of the window, whatever the figures (I-192)', () => {
    fc.assert(
      fc.property(runs, fc.integer({ min: 1, max: 31 * 86_400_000 }), (given, before) => {
        const judged = judgeRuns(share(50), given, new Date(end.getTime() - before));
        expect([judged.verdict, judged.state]).to.deep.equal(['insufficient_evidence', 'collecting']);
      }),
    );
  });

  it('counts every run that ended in the half-open window once, in any order (I-192)', () => {
    fc.assert(
      fc.property(runs, fc.boolean(), (given, isTurned) => {
        const inside = given.filter(({ endedAt }) => endedAt >= window.from && endedAt < window.to);
        const judged = judgeRuns(share(50), isTurned ? given.toReversed() : given, end);
        expect([judged.n, judged.leftOut]).to.deep.equal([inside.length, given.length - inside.length]);
        expect(judged).to.deep.equal(judgeRuns(share(50), given, end));
      }),
    );
  });

  it('is never moved toward `met` by a further failed run (I-192)', () => {
    const failed = { state: 'failed', endedAt: window.from, value: null };
    fc.assert(
      fc.property(runs, fc.integer({ min: 1, max: 99 }), (given, percent) => {
        const judgement = { ...share(percent), minimumRuns: 1 };
        const before = judgeRuns(judgement, [...given, failed], end).verdict;
        const after = judgeRuns(judgement, [...given, failed, failed], end).verdict;
        expect(order[after]).to.be.at.most(order[before]);
      }),
    );
  });
});
