import { expect } from 'chai';
import { dieboldMariano, type DieboldMarianoOptions } from '#lib/numerics/comparison/diebold-mariano.ts';
import { circularBlocks, modelConfidenceSet } from '#lib/numerics/comparison/model-confidence-set.ts';

const options: DieboldMarianoOptions = { horizon: 1, power: 1, variance: 'acf', alternative: 'two.sided' };

describe('the Diebold-Mariano test', () => {
  it('changes only the sign of the statistic if the two series are exchanged', () => {
    const [one, other] = [
      [1, 2, 3, 5],
      [1, 1, 1, 2],
    ];
    const there = dieboldMariano(one, other, options);
    const back = dieboldMariano(other, one, options);
    expect(there.ok && back.ok && [there.statistic + back.statistic, there.p - back.p]).to.deep.equal([0, 0]);
  });

  it('has no result for losses that are equal or differ by a constant, or for too few losses', () => {
    expect(dieboldMariano([1, -2], [-1, 2], options)).to.deep.equal({ ok: false, reason: 'equal_losses' });
    expect(dieboldMariano([2, 3, 4], [1, 2, 3], options)).to.deep.equal({
      ok: false,
      reason: 'zero_variance',
    });
    expect(dieboldMariano([2], [1], options)).to.deep.equal({ ok: false, reason: 'too_few' });
    expect(dieboldMariano([2, 1], [1, 3], { ...options, horizon: 2 })).to.deep.equal({
      ok: false,
      reason: 'too_few',
    });
  });

  it('uses the one-step variance if the multi-step variance is not above 0', () => {
    const first = [1.2, -0.4, 0.7, 0.1, -0.9];
    const second = [0.8, -0.5, 1.1, 0.3, -0.2];
    const found = dieboldMariano(first, second, { ...options, power: 2, horizon: 4 });
    expect(found).to.include({ ok: true, horizonUsed: 1 });
  });

  it('has consistent p-values for its three alternatives', () => {
    const p = (alternative: DieboldMarianoOptions['alternative']) => {
      const found = dieboldMariano([1, 2, 3, 5], [1, 1, 1, 2], { ...options, alternative });
      return found.ok ? found.p : NaN;
    };
    expect(p('less') + p('greater')).to.be.closeTo(1, 1e-12);
    expect(p('two.sided')).to.be.closeTo(2 * p('greater'), 1e-12);
  });

  it('throws if the lengths of the series differ or the horizon is 0', () => {
    expect(() => dieboldMariano([1, 2], [1], options)).to.throw(RangeError);
    expect(() => dieboldMariano([1, 2], [1, 2], { ...options, horizon: 0 })).to.throw(RangeError);
  });
});

describe('a model confidence set', () => {
  const resamples = Array.from({ length: 50 }, (_, b) =>
    circularBlocks(
      20,
      3,
      Array.from({ length: 7 }, (__, q) => ((b * 7 + q) * 0.37 + 0.01) % 1),
    ),
  );
  const noise = (at: number) => ((at * 7919) % 13) / 13;

  it('removes the models in the order from the worst to the best', () => {
    const losses = [0, 5, 1].map((level, model) =>
      Array.from({ length: 20 }, (_, at) => level + noise(at + model)),
    );
    const steps = modelConfidenceSet(losses, resamples);
    expect(steps.map(({ model }) => model)).to.deep.equal([1, 2, 0]);
    expect(steps.at(-1)).to.deep.include({ p: 1, setP: 1 });
    expect(steps.map(({ setP }) => setP)).to.deep.equal([...steps.map(({ setP }) => setP)].sort());
  });

  it('keeps two models with identical losses', () => {
    const losses = [0, 0].map(() => Array.from({ length: 20 }, (_, at) => noise(at)));
    expect(modelConfidenceSet(losses, resamples)[0]).to.include({ statistic: 0, p: 1 });
  });

  it('is computed from resamples of whole blocks, which continue at the beginning of the series', () => {
    expect([...circularBlocks(5, 3, [0.9, 0.2])]).to.deep.equal([4, 0, 1, 1, 2]);
  });
});
