import { expect } from 'chai';
import { backtest } from '#lib/numerics/backtesting/backtest.ts';
import { marketOf, plain, targetsAt } from './small-market.ts';

describe('a backtest', () => {
  it('spends exactly the amount of a purchase, costs included', () => {
    const { orders, cash } = backtest(
      marketOf([[10]]),
      { ...plain, proportional: 0.25 },
      targetsAt({ 0: [1] }),
    );
    expect(orders).to.deep.equal([
      { decided: 0, session: 0, symbol: 0, quantity: 80, price: 10, amount: 800, cost: 200 },
    ]);
    expect(cash[0]).to.equal(0);
  });

  it('sells the whole position of a symbol without a target, and pays the costs of the sale', () => {
    const rows = [[10, 5], [10, 5]]; // prettier-ignore
    const { positions, cash } = backtest(
      marketOf(rows),
      { ...plain, proportional: 0.1 },
      targetsAt({ 0: [0.5, 0], 1: [0, 0] }),
    );
    expect([...positions]).to.deep.equal([0, 0]);
    expect(cash[1]).to.be.closeTo(500 + (500 / 1.1) * 0.9, 1e-9);
  });

  it('fills an order in the session after its decision, at the price of that session', () => {
    const { orders, value } = backtest(
      marketOf([[10], [20], [40]]),
      { ...plain, lag: 1 },
      targetsAt({ 0: [1] }),
    );
    expect(orders.map(({ decided, session, quantity }) => ({ decided, session, quantity }))).to.deep.equal([
      { decided: 0, session: 1, quantity: 50 },
    ]);
    expect([...value]).to.deep.equal([1_000, 1_000, 2_000]);
  });

  it('sizes orders at the prices of the decision on request, and scales purchases down to the cash', () => {
    const { orders, cash } = backtest(
      marketOf([
        [10, 10],
        [20, 10],
      ]),
      { ...plain, lag: 1, sizeAtDecision: true },
      targetsAt({ 0: [0.5, 0.5] }),
    );
    // 50 shares of each would cost 1,500, so both purchases are scaled by 2/3.
    for (const { quantity } of orders) expect(quantity).to.be.closeTo(50 / 1.5, 1e-12);
    expect(orders).to.have.length(2);
    expect(cash[1]).to.be.closeTo(0, 1e-9);
  });

  it('rounds purchases of whole shares down and sales up', () => {
    const { orders } = backtest(
      marketOf([[30], [30]]),
      { ...plain, wholeShares: true },
      targetsAt({ 0: [1], 1: [0.5] }),
    );
    // 1,000 buys 33 shares; then 490 has to be raised, which needs 17 shares.
    expect(orders.map(({ quantity }) => quantity)).to.deep.equal([33, -17]);
  });

  it('charges the minimum commission of an order, and does not buy for an amount below that minimum', () => {
    const terms = { ...plain, minimum: 5, perShare: 0.01 };
    const { costs, filled } = backtest(marketOf([[10]]), terms, targetsAt({ 0: [0.5] }));
    expect([costs.commission, filled]).to.deep.equal([5, 1]);
    expect(backtest(marketOf([[10]]), terms, targetsAt({ 0: [0.004] })).filled).to.equal(0);
  });

  it('reduces an order to the maximum share of the volume, and counts the reduced order', () => {
    const market = marketOf([[10]], { volume: Float64Array.of(200) });
    const { orders, capped } = backtest(market, { ...plain, participationMax: 0.1 }, targetsAt({ 0: [1] }));
    expect([orders[0]!.quantity, capped]).to.deep.equal([20, 1]);
  });

  it('lets an order lapse if the volume that limits it is 0 or unknown', () => {
    for (const volume of [0, Number.NaN]) {
      const market = marketOf([[10]], { volume: Float64Array.of(volume) });
      const { filled, lapsed } = backtest(market, { ...plain, participationMax: 0.1 }, targetsAt({ 0: [1] }));
      expect([filled, lapsed]).to.deep.equal([0, 1]);
    }
  });

  it('lets an order lapse if the price is missing, 0 or negative, and values positions at the last close', () => {
    for (const bad of [Number.NaN, 0, -3]) {
      const { value, lapsed } = backtest(marketOf([[10], [bad], [12]]), plain, targetsAt({ 0: [1], 1: [0] }));
      expect([...value]).to.deep.equal([1_000, 1_000, 1_200]);
      expect(lapsed).to.equal(1);
    }
  });

  it('adds interest on the cash of the previous session', () => {
    const { value, interest } = backtest(
      marketOf([[10], [10]]),
      { ...plain, cashRate: Float64Array.of(0.5, 0.01) },
      () => null,
    );
    expect([value[1], interest]).to.deep.equal([1_010, 10]);
  });

  it('charges the borrow fee on short positions', () => {
    const terms = { ...plain, borrow: 0.252 };
    const { value, costs } = backtest(marketOf([[10], [10]]), terms, targetsAt({ 0: [-1] }));
    expect(costs.borrow).to.be.closeTo(1, 1e-12);
    expect(value[1]).to.be.closeTo(999, 1e-9);
  });

  it('lets cash fall below 0 only up to the credit if the weights exceed 1', () => {
    const without = backtest(marketOf([[10]]), plain, targetsAt({ 0: [1.5] }));
    expect([without.positions[0], without.cash[0]]).to.deep.equal([100, 0]);
    const withCredit = backtest(marketOf([[10]]), { ...plain, creditMax: 500 }, targetsAt({ 0: [1.5] }));
    expect([withCredit.positions[0], withCredit.cash[0]]).to.deep.equal([150, -500]);
  });

  it('ends with a curve of 0 if the value falls to 0 or below', () => {
    const { value, bankruptAt } = backtest(
      marketOf([[10], [30], [10]]),
      { ...plain, creditMax: Infinity },
      targetsAt({ 0: [-1] }),
    );
    expect(bankruptAt).to.equal(1);
    expect([...value]).to.deep.equal([1_000, 0, 0]);
  });

  it('keeps a position whose target is NaN', () => {
    const { positions } = backtest(
      marketOf([
        [10, 10],
        [20, 10],
      ]),
      plain,
      targetsAt({ 0: [0.5, 0.5], 1: [Number.NaN, 0] }),
    );
    expect([...positions]).to.deep.equal([50, 0]);
  });

  it('returns a curve of one value for one session', () => {
    expect([...backtest(marketOf([[10]]), plain, () => null).value]).to.deep.equal([1_000]);
  });

  it('lists no orders and no holdings if `detail` is false, but returns the same counts', () => {
    const market = marketOf([[10], [12]]);
    const brief = backtest(market, plain, targetsAt({ 0: [1] }), { detail: false });
    const full = backtest(market, plain, targetsAt({ 0: [1] }));
    expect([brief.orders, brief.holdings]).to.deep.equal([[], []]);
    expect({ ...brief, orders: full.orders, holdings: full.holdings }).to.deep.equal(full);
  });
});
