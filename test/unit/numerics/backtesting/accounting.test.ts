import { expect } from 'chai';
import fc from 'fast-check';
import { backtest } from '#lib/numerics/backtesting/backtest.ts';
import type { Terms } from '#lib/numerics/backtesting/terms.ts';
import { repetitions } from '../../../support/repetitions.ts';
import { decideOf, marketOf, plain, stories, sum, type Story } from './small-market.ts';

const costs: Terms = { ...plain, proportional: 0.002, halfSpread: 0.0005, perShare: 0.01, minimum: 0.5 };
const numRuns = repetitions.arrays;

describe('the accounting of a backtest', () => {
  it('keeps the value equal to cash plus positions in every session', () => {
    fc.assert(
      fc.property(stories, (story) => {
        const { value, cash, holdings } = backtest(marketOf(story.rows), costs, decideOf(story));
        let held = new Float64Array(story.rows[0]!.length);
        for (const [session, row] of story.rows.entries()) {
          held = (holdings.find((each) => each.session === session)?.quantity ?? held) as typeof held;
          const positions = sum(row.map((price, symbol) => price * held[symbol]!));
          expect(value[session]).to.be.closeTo(cash[session]! + positions, 1e-9 * value[session]!);
        }
      }),
      { numRuns },
    );
  });

  it('keeps cash at 0 or above if no credit is allowed', () => {
    fc.assert(
      fc.property(stories, (story) => {
        const { cash, value } = backtest(marketOf(story.rows), costs, decideOf(story));
        for (const [at, amount] of cash.entries()) expect(amount).to.be.at.least(-1e-9 * value[at]!);
      }),
      { numRuns },
    );
  });

  it('gives the same curve for every order of the symbols', () => {
    fc.assert(
      fc.property(stories, (story) => {
        const reversed: Story = {
          rows: story.rows.map((row) => row.toReversed()),
          targets: story.targets.map((weights) => weights?.toReversed() ?? null),
        };
        const one = backtest(marketOf(story.rows), costs, decideOf(story)).value;
        const other = backtest(marketOf(reversed.rows), costs, decideOf(reversed)).value;
        for (const [at, value] of one.entries()) expect(value).to.be.closeTo(other[at]!, 1e-9 * value);
      }),
      { numRuns },
    );
  });

  it('gives the same curve up to a session, whatever prices and targets follow', () => {
    fc.assert(
      fc.property(stories, fc.nat(), fc.double({ min: 0.1, max: 3, noNaN: true }), (story, cut, factor) => {
        const from = 1 + (cut % (story.rows.length - 1));
        const changed: Story = {
          rows: story.rows.map((row, at) => (at < from ? row : row.map((price) => price * factor))),
          targets: story.targets.map((weights, at) => (at < from ? weights : null)),
        };
        const one = backtest(marketOf(story.rows), costs, decideOf(story)).value;
        const other = backtest(marketOf(changed.rows), costs, decideOf(changed)).value;
        expect([...one.subarray(0, from)]).to.deep.equal([...other.subarray(0, from)]);
      }),
      { numRuns },
    );
  });

  it('ends with at most the same value if costs rise and targets are fixed weights', () => {
    fc.assert(
      fc.property(stories, fc.double({ min: 0, max: 0.01, noNaN: true }), (story, more) => {
        const end = (proportional: number) =>
          backtest(marketOf(story.rows), { ...plain, proportional }, decideOf(story)).value.at(-1)!;
        expect(end(0.001 + more)).to.be.at.most(end(0.001) * (1 + 1e-12));
      }),
      { numRuns },
    );
  });

  it('gives the same curve for quoted prices with splits as for prices adjusted for these splits', () => {
    fc.assert(
      fc.property(stories, fc.constantFrom(2, 3, 7, 0.1, 1.5), fc.nat(), (story, ratio, at) => {
        const session = 1 + (at % (story.rows.length - 1));
        const quoted = story.rows.map((row, each) =>
          row.map((price, symbol) => (symbol === 0 && each >= session ? price / ratio : price)),
        );
        const split = { session, symbol: 0, type: 'split', ratio } as const;
        const terms = { ...plain, proportional: 0.002, lag: 1 };
        const one = backtest(marketOf(story.rows), terms, decideOf(story)).value;
        const other = backtest(marketOf(quoted, { actions: [split] }), terms, decideOf(story)).value;
        for (const [day, value] of one.entries()) expect(other[day]).to.be.closeTo(value, 1e-12 * value);
      }),
      { numRuns },
    );
  });
});
