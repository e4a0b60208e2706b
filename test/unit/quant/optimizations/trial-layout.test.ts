import { expect } from 'chai';
import { blockSums } from '#lib/numerics/overfitting/block-sums.ts';
import { sharpeSpread } from '#lib/numerics/risk/sharpe-spread.ts';
import { informationRatio } from '#lib/numerics/risk/information-ratio.ts';
import { searchMetric } from '#lib/quant/optimizations/search-metric.ts';
import { readTrial, trialNumbers, trialWidth } from '#lib/quant/optimizations/trial-layout.ts';

const returns = Float64Array.from({ length: 41 }, (_, t) => ((t * 7) % 11) / 1_000 - 0.004);
const folds = [
  { train: { from: 0, to: 20 }, test: { from: 21, to: 31 } },
  { train: { from: 10, to: 30 }, test: { from: 31, to: 41 } },
];
const terms = { metric: 'annual_return', require: [], cscv_blocks: 4, periods_per_year: 252 } as const;
const annual = (from: number, to: number) =>
  searchMetric('annual_return', returns.subarray(from, to), { periodsPerYear: 252, benchmark: null });

describe('the numbers of a trial', () => {
  it('are the same after writing and reading, with each objective computed from its own range', () => {
    const numbers = trialNumbers({ returns, benchmark: null }, folds, { ...terms, require: [] });
    expect(numbers).to.have.length(trialWidth(2, 4));
    const row = readTrial(numbers, 2);
    expect(row).to.deep.include({
      objective: annual(0, 41),
      isFeasible: true,
      isSimulated: true,
      sharpe: sharpeSpread(returns, 0)!.ratio,
      folds: [
        { train: annual(0, 20), isFeasible: true, test: annual(21, 31) },
        { train: annual(10, 30), isFeasible: true, test: annual(31, 41) },
      ],
    });
    expect(row.sums).to.deep.equal(blockSums(returns, 4));
  });

  it('apply the requirements of a fold only to its training range', () => {
    const falling = returns.map((value, t) => (t >= 30 ? -0.05 : value));
    const require = [{ metric: 'minus_max_drawdown', min: -0.2 } as const];
    const row = readTrial(
      trialNumbers({ returns: falling, benchmark: null }, folds, { ...terms, require }),
      2,
    );
    expect(row.isFeasible).to.equal(false);
    expect(row.folds.map(({ isFeasible }) => isFeasible)).to.deep.equal([true, true]);
  });

  it('do not meet a requirement on a measure that is not defined', () => {
    const flat = new Float64Array(41);
    const row = readTrial(
      trialNumbers({ returns: flat, benchmark: null }, folds, { ...terms, require: [{ metric: 'sharpe' }] }),
      2,
    );
    expect([row.isFeasible, row.isSimulated, Number.isNaN(row.sharpe)]).to.deep.equal([false, true, true]);
  });

  it('contain the information ratio against the benchmark over the same sessions', () => {
    const benchmark = returns.map((value, t) => value / 2 + ((t * 5) % 7) / 1_000);
    const metric = 'information_ratio' as const;
    const wanted = { ...terms, metric, require: [] };
    const row = readTrial(trialNumbers({ returns, benchmark }, folds, wanted), 2);
    const { train } = folds[1]!;
    const part = (values: Float64Array) => values.subarray(train.from, train.to);
    expect(row.folds[1]!.train).to.equal(informationRatio(part(returns), part(benchmark), 252));
    expect(readTrial(trialNumbers({ returns, benchmark: null }, folds, wanted), 2).objective).to.be.NaN;
  });

  it('show whether a trial was simulated', () => {
    const empty = new Float64Array(trialWidth(2, 4)).fill(Number.NaN);
    expect(readTrial(empty, 2)).to.include({ isSimulated: false, isFeasible: false });
  });
});
