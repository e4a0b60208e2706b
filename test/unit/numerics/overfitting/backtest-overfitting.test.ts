import { expect } from 'chai';
import fc from 'fast-check';
import { averageRanks } from '#lib/numerics/average-ranks.ts';
import { fillNormals } from '#lib/numerics/normal-stream.ts';
import {
  backtestOverfitting,
  type BacktestOverfitting,
} from '#lib/numerics/overfitting/backtest-overfitting.ts';
import { blockSums } from '#lib/numerics/overfitting/block-sums.ts';
import { sharpeRatio } from '#lib/numerics/risk/sharpe-ratio.ts';

type Result = BacktestOverfitting & { ok: true };

describe('the sums of blocks', () => {
  it('have the value of their example and drop the remainder at the start', () => {
    expect([...blockSums([9, 1, 2, 3, 4], 2)]).to.deep.equal([3, 7, 5, 25]);
    expect([...blockSums([7], 2)]).to.deep.equal([0, 0, 0, 0]);
  });

  it('reject numbers of blocks that are odd or outside 2 to 16, and returns that are not finite', () => {
    for (const blocks of [0, 3, 18, 2.5, NaN])
      expect(() => blockSums([1], blocks), String(blocks)).to.throw(RangeError);
    for (const value of [NaN, Infinity])
      expect(() => blockSums([1, value], 2)).to.throw(RangeError, /return 1 /);
  });
});

describe('the probability of backtest overfitting', () => {
  it('equals the definition on random panels', () => {
    fc.assert(
      fc.property(panels, ({ seed, N, T, blocks }) => {
        const trials = noise(seed, N, T);
        const found = pboOf(trials, blocks);
        const wanted = byDefinition(trials, blocks);
        expect(found.combinations).to.equal(wanted.logits.length);
        expect(found.pbo).to.equal(wanted.logits.filter((each) => each <= 0).length / found.combinations);
        expect([...found.chosenCounts]).to.deep.equal(wanted.counts);
        for (const [at, logit] of wanted.logits.entries())
          expect(found.logits[at]).to.be.closeTo(logit, 1e-12);
        expect(found.probabilityOfLoss).to.equal(wanted.losses / found.combinations);
      }),
      { numRuns: 40 },
    );
  });

  it('does not depend on the order of the trials or of the returns in a block', () => {
    fc.assert(
      fc.property(panels, ({ seed, N, T, blocks }) => {
        const trials = noise(seed, N, T);
        const found = pboOf(trials, blocks);
        const reversed = pboOf([...trials].reverse(), blocks);
        expect(reversed.pbo).to.equal(found.pbo);
        expect([...reversed.logits]).to.deep.equal([...found.logits]);
        expect([...reversed.chosenCounts].reverse()).to.deep.equal([...found.chosenCounts]);
        const rows = Math.floor(T / blocks);
        const mixed = trials.map((each) => reversedBlocks(each.slice(T - rows * blocks), rows));
        expect(pboOf(mixed, blocks).pbo).to.equal(found.pbo);
        expect([...pboOf(mixed, blocks).logits]).to.deep.equal([...found.logits]);
      }),
      { numRuns: 40 },
    );
  });

  it('is 1 for identical trials, which share the middle rank', () => {
    const [one] = noise(3, 1, 40);
    for (const N of [2, 5]) {
      const found = pboOf(
        Array.from({ length: N }, () => one!),
        4,
      );
      expect(found).to.include({ pbo: 1, logitMean: 0 });
      expect([...found.chosenCounts]).to.deep.equal([6, ...Array.from({ length: N - 1 }, () => 0)]);
    }
  });

  it('averages the ranks of trials that are equal in only one half', () => {
    // In the second half, the trials are equal to the bit although their first halves differ.
    const later = [0.01, -0.02, 0.03, 0.011];
    const found = pboOf(
      [
        [0.03, 0.01, 0.02, 0.01, ...later],
        [0.1, -0.3, 0.2, 0.7, ...later],
      ],
      2,
    );
    expect([...found.logits]).to.include(0);
    expect(found.logits[0]).to.equal(0);
  });

  it('gives a trial without variance a Sharpe ratio of 0', () => {
    const rising = [0.01, 0.02, 0.01, 0.03, 0.02, 0.01, 0.02, 0.01];
    const constant = rising.map(() => 0.1);
    const found = pboOf([constant, rising], 4);
    expect([...found.chosenCounts]).to.deep.equal([0, 6]);
    expect(found).to.include({ pbo: 0, probabilityOfLoss: 0 });
    const flat = pboOf([constant, constant.map(() => -0.1)], 4);
    expect(flat).to.include({ pbo: 1, probabilityOfLoss: 0, degradation: null });
  });

  it('is 0 with one trial that is always the best, and comes with the probability of loss', () => {
    const trials = noise(8, 5, 120).map((each, trial) => each.map((value) => value + (trial === 2 ? 3 : -3)));
    expect(pboOf(trials, 6)).to.include({ pbo: 0, probabilityOfLoss: 0 });
    const losing = trials.map((each) => each.map((value) => value - 6));
    expect(pboOf(losing, 6)).to.include({ pbo: 0, probabilityOfLoss: 1 });
  });

  it('has no result with fewer than two trials or two returns in a half', () => {
    expect(backtestOverfitting([], { blocks: 4, rows: 10 })).to.deep.equal({
      ok: false,
      reason: 'too_few_trials',
    });
    const sums = [blockSums([1, 2, 3, 4], 2)];
    expect(backtestOverfitting(sums, { blocks: 2, rows: 2 })).to.deep.equal({
      ok: false,
      reason: 'too_few_trials',
    });
    const short = [blockSums([1, 2], 2), blockSums([2, 1], 2)];
    expect(backtestOverfitting(short, { blocks: 2, rows: 1 })).to.deep.equal({
      ok: false,
      reason: 'too_few_returns',
    });
    const empty = [blockSums([], 4), blockSums([], 4)];
    expect(backtestOverfitting(empty, { blocks: 4, rows: 0 })).to.include({ reason: 'too_few_returns' });
  });

  it('rejects sums of a wrong length, sums that are not finite and an invalid number of rows', () => {
    const sums = blockSums([1, 2, 3, 4], 2);
    expect(() => backtestOverfitting([sums, sums.slice(1)], { blocks: 2, rows: 2 })).to.throw(
      RangeError,
      /trial 1/,
    );
    const broken = [NaN, 1, 1, 1];
    expect(() => backtestOverfitting([sums, broken], { blocks: 2, rows: 2 })).to.throw(RangeError, /finite/);
    for (const rows of [-1, 1.5, NaN])
      expect(() => backtestOverfitting([sums, sums], { blocks: 2, rows })).to.throw(RangeError);
  });
});

const panels = fc.record({
  seed: fc.integer({ min: 0, max: 1_000_000 }),
  N: fc.integer({ min: 2, max: 12 }),
  T: fc.integer({ min: 24, max: 90 }),
  blocks: fc.constantFrom(2, 4, 6, 8),
});

function noise(seed: number, N: number, T: number): Float64Array[] {
  const all = new Float64Array(N * T);
  fillNormals(all, { seed, firstSample: 0, dimensions: T });
  return Array.from({ length: N }, (_, trial) => all.slice(trial * T, (trial + 1) * T));
}

function pboOf(trials: readonly ArrayLike<number>[], blocks: number): Result {
  const sums = trials.map((each) => blockSums(each, blocks));
  const found = backtestOverfitting(sums, { blocks, rows: Math.floor(trials[0]!.length / blocks) });
  expect(found.ok).to.equal(true);
  return found as Result;
}

function reversedBlocks(returns: Float64Array, rows: number): Float64Array {
  return returns.map((_, t) => returns[Math.floor(t / rows) * rows + rows - 1 - (t % rows)]!);
}

/**
 * Computes the probability by its definition: over all combinations in lexicographic order, from the returns of both
 * halves.
 */
function byDefinition(trials: readonly Float64Array[], blocks: number) {
  const rows = Math.floor(trials[0]!.length / blocks);
  const cut = trials.map((each) => each.slice(each.length - rows * blocks));
  const half = (each: Float64Array, chosen: readonly number[]) =>
    sharpeRatio(
      chosen.flatMap((block) => [...each.slice(block * rows, (block + 1) * rows)]),
      { riskFree: 0, periodsPerYear: 1 },
    )!;
  const counts = trials.map(() => 0);
  let losses = 0;
  const logits = combinations(blocks, blocks / 2).map((chosen) => {
    const left = Array.from({ length: blocks }, (_, block) => block).filter(
      (block) => !chosen.includes(block),
    );
    const train = cut.map((each) => half(each, chosen));
    const test = cut.map((each) => half(each, left));
    const best = train.indexOf(Math.max(...train));
    counts[best]! += 1;
    if (test[best]! < 0) losses += 1;
    const share = averageRanks(test)[best]! / (trials.length + 1);
    return Math.log(share / (1 - share));
  });
  return { logits, counts, losses };
}

function combinations(n: number, k: number, from = 0): number[][] {
  if (k === 0) return [[]];
  return Array.from({ length: n - from - k + 1 }, (_, at) => from + at).flatMap((first) =>
    combinations(n, k - 1, first + 1).map((rest) => [first, ...rest]),
  );
}
