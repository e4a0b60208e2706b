import { expect } from 'chai';
import { fillNormals } from '#lib/numerics/normal-stream.ts';
import { blockSums } from '#lib/numerics/overfitting/block-sums.ts';
import { sharpeSpread } from '#lib/numerics/risk/sharpe-spread.ts';
import { evidenceOf } from '#lib/quant/trials/evidence.ts';

const BLOCKS = 10;
const nothing = { declared: 0, counted: 0, measured: 0, sharpe_sum: 0, sharpe_square_sum: 0 };

function simulated(seed: number, drift: number, sessions = 505): Float64Array {
  const returns = new Float64Array(sessions);
  fillNormals(returns, { seed, firstSample: 0, dimensions: 1 });
  return returns.map((value) => drift + 0.01 * value);
}

function evidence(trials: readonly Float64Array[], before = nothing) {
  return evidenceOf({
    returns: trials[0]!,
    sharpes: trials.map((each) => sharpeSpread(each, 0)?.ratio ?? null),
    sums: trials.map((each) => blockSums(each, BLOCKS)),
    blocks: BLOCKS,
    before,
  });
}

const good = simulated(1, 0.0015);

describe('evidenceOf', () => {
  it('deflates nothing with a single trial', () => {
    const found = evidence([good]);
    expect(found.deflated_sharpe).to.equal(found.probabilistic_sharpe);
    expect(found.trials).to.include({ used: 1, sharpe_sd: 0, sd_basis: 'single_trial' });
    expect(found.overfitting).to.equal(null);
    expect(found.reading).to.equal('holds');
  });

  it('lowers the deflated Sharpe ratio with every declared trial, using the standard error of the ratio', () => {
    const deflated = [0, 1, 10, 1_000].map((declared) => evidence([good], { ...nothing, declared }));
    const values = deflated.map((each) => each.deflated_sharpe!);
    expect(values).to.deep.equal([...values].sort((one, other) => other - one));
    expect(new Set(values).size).to.equal(4);
    expect(deflated[3]!.trials).to.include({ used: 1_001, sd_basis: 'asymptotic' });
  });

  it('uses the standard deviation of the Sharpe ratios of this run and of the counted trials together', () => {
    const own = sharpeSpread(good, 0)!.ratio;
    const [one, other] = [own - 0.1, own + 0.1];
    const before = {
      declared: 0,
      counted: 3,
      measured: 2,
      sharpe_sum: one + other,
      sharpe_square_sum: one * one + other * other,
    };
    const { trials } = evidence([good], before);
    expect(trials).to.include({ used: 4, counted: 3, own: 1, sd_basis: 'trials' });
    expect(trials.sharpe_sd).to.be.closeTo(0.1, 1e-9);
  });

  it('reports luck for the best of many trials without skill', () => {
    const worthless = Array.from({ length: 40 }, (_, seed) => simulated(100 + seed, 0));
    const ratio = (each: Float64Array) => sharpeSpread(each, 0)!.ratio;
    worthless.sort((one, two) => ratio(two) - ratio(one));
    const found = evidence(worthless);
    expect(found.probabilistic_sharpe).to.be.above(0.95);
    expect(found.deflated_sharpe).to.be.below(0.95);
    expect(found.reading).to.equal('luck');
    expect(found.overfitting).to.include({ trials: 40, combinations: 252, rows_dropped: 5 });
  });

  it('counts a trial with constant returns, which has no Sharpe ratio', () => {
    const { trials } = evidence([good, new Float64Array(505)]);
    expect(trials.sharpes[1]).to.equal(null);
    expect(trials).to.include({ used: 2, sd_basis: 'asymptotic' });
  });
});
