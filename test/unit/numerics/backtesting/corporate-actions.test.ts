import { expect } from 'chai';
import { backtest } from '#lib/numerics/backtesting/backtest.ts';
import { marketOf, plain, targetsAt } from './small-market.ts';

const hold = targetsAt({ 0: [1] });

describe('a corporate action in a backtest', () => {
  it('multiplies the position by the ratio of a split before the orders of the session', () => {
    const market = marketOf([[10], [5]], { actions: [{ session: 1, symbol: 0, type: 'split', ratio: 2 }] });
    const { positions, value, orders } = backtest(market, plain, targetsAt({ 0: [1], 1: [1] }));
    expect([positions[0], value[1], orders.length]).to.deep.equal([200, 1_000, 1]);
  });

  it('replaces the fraction of a share after a reverse split by cash, at the price of the day', () => {
    const actions = [{ session: 1, symbol: 0, type: 'split', ratio: 0.3 }] as const;
    const { positions, cash } = backtest(
      marketOf([[125], [400]], { actions }),
      { ...plain, wholeShares: true },
      hold,
    );
    // 8 shares become 2.4.
    expect(positions[0]).to.equal(2);
    expect(cash[1]).to.be.closeTo(160, 1e-9);
  });

  it('turns a position of less than one share into cash', () => {
    const actions = [{ session: 1, symbol: 0, type: 'split', ratio: 0.01 }] as const;
    const { positions, cash } = backtest(
      marketOf([[500], [50_000]], { actions }),
      { ...plain, wholeShares: true },
      hold,
    );
    expect([positions[0], cash[1]]).to.deep.equal([0, 1_000]);
  });

  it('adjusts the last close for a split if the symbol has no price on the day', () => {
    const actions = [{ session: 1, symbol: 0, type: 'split', ratio: 4 }] as const;
    expect(backtest(marketOf([[10], [Number.NaN]], { actions }), plain, hold).value[1]).to.equal(1_000);
  });

  it('pays a dividend in cash, less withholding tax, even if the dividend exceeds the price', () => {
    const actions = [{ session: 1, symbol: 0, type: 'dividend', amount: 20 }] as const;
    const terms = { ...plain, dividendWithholding: 0.25 };
    const { cash, costs, dividends } = backtest(marketOf([[10], [1]], { actions }), terms, hold);
    expect([cash[1], costs.withholding, dividends]).to.deep.equal([1_500, 500, 1_500]);
  });

  it('charges a short position the full dividend', () => {
    const actions = [{ session: 1, symbol: 0, type: 'dividend', amount: 2 }] as const;
    const terms = { ...plain, dividendWithholding: 0.25 };
    const { cash } = backtest(marketOf([[10], [8]], { actions }), terms, targetsAt({ 0: [-1] }));
    expect(cash[1]).to.equal(1_800);
  });

  it('converts the position into cash at the last close, less the loss, if the symbol ends', () => {
    const actions = [{ session: 2, symbol: 0, type: 'exit', loss: 0.3 }] as const;
    const market = marketOf([[10], [20], [Number.NaN]], { actions });
    const { cash, positions, filled } = backtest(market, plain, hold);
    expect([cash[2], positions[0], filled]).to.deep.equal([1_400, 0, 1]);
  });

  it('applies a split between the decision and the trade to an order sized at the decision', () => {
    const actions = [{ session: 1, symbol: 0, type: 'split', ratio: 2 }] as const;
    const terms = { ...plain, lag: 1, sizeAtDecision: true };
    const { orders } = backtest(marketOf([[10], [5]], { actions }), terms, hold);
    expect(orders[0]!.quantity).to.equal(200);
  });
});
