import { expect } from 'chai';
import { positionOf } from '#lib/benchmarking/comparison.ts';
import { contributesTo, decideJoin, decideLeave } from '#lib/benchmarking/membership.ts';
import { boundsOf, closedPeriods, hasEnded } from '#lib/benchmarking/period.ts';
import { decideParameter } from '#lib/benchmarking/set-parameter.command.ts';

const at = (text: string) => new Date(text);

describe('the participation in benchmarks', () => {
  it('begins once and ends once', () => {
    expect([decideJoin(false).ok, decideJoin(true).ok]).to.deep.equal([true, false]);
    expect([decideLeave(false).ok, decideLeave(true).ok]).to.deep.equal([false, true]);
  });

  it('covers months that begin after the join, until the workspace leaves', () => {
    const march = boundsOf('2026-03');
    const member = (joinedAt: string, leftAt: string | null = null) =>
      contributesTo({ joinedAt: at(joinedAt), leftAt: leftAt === null ? null : at(leftAt) }, march);
    expect(member('2026-03-01T00:00:00Z')).to.equal(true);
    expect(member('2026-03-01T00:00:00.001Z')).to.equal(false);
    expect(member('2026-01-01T00:00:00Z', '2026-04-01T12:00:00Z')).to.equal(false);
  });

  it('concerns months that ended at least 48 hours ago', () => {
    expect(closedPeriods(at('2026-03-02T23:59:59Z'))).to.deep.equal(['2025-11', '2025-12', '2026-01']);
    expect(closedPeriods(at('2026-03-03T00:00:00Z'))).to.deep.equal(['2025-12', '2026-01', '2026-02']);
    expect(hasEnded('2026-02', at('2026-03-01T00:00:00Z'))).to.equal(true);
    expect(hasEnded('2026-03', at('2026-03-31T23:59:59Z'))).to.equal(false);
  });
});

describe('the position of a figure', () => {
  const distribution = { p10: null, p25: '0.2', p50: '0.50', p75: '0.8', p90: null };

  it('is stated as a quarter of the distribution', () => {
    const positions = ['0.19', '0.2', '0.4999', '0.5', '0.8', '0.81'].map((own) =>
      positionOf(own, distribution),
    );
    expect(positions).to.deep.equal([
      'below_p25',
      'p25_to_p50',
      'p25_to_p50',
      'p50_to_p75',
      'p50_to_p75',
      'above_p75',
    ]);
  });

  it('is unknown without quartiles', () => {
    expect(positionOf('0.5', null)).to.equal(null);
    expect(positionOf('0.5', { ...distribution, p25: null })).to.equal(null);
  });
});

it('accepts only a secret parameter from 1 to 50 percent', () => {
  const valid = ['1', '12.5', '50', '7.1234'];
  const invalid = ['0.9', '50.1', '-5', '1e1', '12.34567', '', 'ten', '100'];
  expect(valid.filter((text) => !decideParameter(text).ok)).to.deep.equal([]);
  expect(invalid.filter((text) => decideParameter(text).ok)).to.deep.equal([]);
});
