import { expect } from 'chai';
import { pathRun } from '#lib/models/scenarios/path-run.ts';
import type { PathInput } from '#lib/models/scenarios/paths.schema.ts';
import { scenarioRun } from '#lib/models/scenarios/scenario-run.ts';
import { CHECKPOINT, pathInput, scenarioInput } from './checkpoint.ts';

const hashesOf = (changed: Partial<PathInput>, chunk?: number) =>
  pathRun(pathInput(changed), CHECKPOINT, undefined, chunk).result.hashes;

describe('paths of a regime model', () => {
  it('have the same hashes for any batch size of draws', () => {
    const changed = { paths: 500, horizon: 7 };
    const whole = hashesOf(changed, 500);
    for (const chunk of [1, 7, 128, 4_096]) expect(hashesOf(changed, chunk)).to.deep.equal(whole);
    expect(hashesOf({ ...changed, seed: 2 }).samples_hash).to.not.equal(whole.samples_hash);
  });

  it('of one month equal the scenarios with the same seed and starting regime', () => {
    for (const regime of ['calm', 'stressed', 'current', 'ergodic'] as const) {
      const { result, matrix } = pathRun(pathInput({ regime, horizon: 1, paths: 300 }), CHECKPOINT);
      const run = scenarioRun(scenarioInput({ regime, samples: 300, antithetic: false }), CHECKPOINT);
      if (!run.ok) throw new Error(run.detail);
      expect(matrix.length).to.equal(600);
      expect(result.hashes.samples_hash).to.equal(run.result.hashes.samples_hash);
      expect(result.final).to.deep.equal(run.result.equal_weight);
      expect(result.steps[0]!.equal_weight.mean).to.equal(result.final.mean);
    }
  });

  it('begin in the given regime and are later in each regime with the probability that the transitions imply', () => {
    const { steps } = pathRun(pathInput({ regime: 'calm', paths: 20_000, horizon: 12 }), CHECKPOINT).result;
    expect(steps[0]!.regimes.map(({ share, expected }) => [share, expected])).to.deep.equal([
      [1, 1],
      [0, 0],
    ]);
    for (const { regimes } of steps) {
      expect(regimes.reduce((total, { share }) => total + share, 0)).to.be.closeTo(1, 1e-12);
      // The standard error of a share over 20,000 paths is at most 0.0036. The tolerance is five times this
      // value.
      for (const { share, expected } of regimes) expect(share).to.be.closeTo(expected, 0.018);
    }
    expect(steps.at(-1)!.regimes[1]!.expected).to.be.closeTo(CHECKPOINT.stationary[1]!, 0.01);
  });

  it('have a cumulative mean equal to the sum of the regime means, weighted by the time in each regime', () => {
    const { steps } = pathRun(pathInput({ regime: 'ergodic', paths: 20_000, horizon: 6 }), CHECKPOINT).result;
    const monthly = CHECKPOINT.regimes.reduce(
      (total, { means }, at) => total + CHECKPOINT.stationary[at]! * means[0]!,
      0,
    );
    const { mean, standard_deviation } = steps[5]!.factors[0]!;
    expect(mean).to.be.closeTo(6 * monthly, (5 * standard_deviation) / Math.sqrt(20_000));
  });

  it('have a maximum drawdown between -1 and 0, with ascending quantiles', () => {
    const { maximum_drawdown: falls } = pathRun(pathInput({ horizon: 24 }), CHECKPOINT).result;
    expect(falls.quantiles).to.deep.equal(falls.quantiles.toSorted((one, other) => one - other));
    expect(falls.deepest).to.be.within(-1, falls.quantiles[0]!);
    expect(falls.quantiles.at(-1)).to.be.at.most(0);
  });

  it('report their progress up to the end', () => {
    const reported: number[] = [];
    pathRun(pathInput({ horizon: 5 }), CHECKPOINT, { progress: (share) => reported.push(share) }, 50);
    expect(reported).to.deep.equal(reported.toSorted((one, other) => one - other));
    expect(reported[0]).to.equal(0.25);
    expect(reported.at(-1)).to.be.within(0.8, 1);
  });

  it('are not drawn if a covariance is singular', () => {
    const [calm, stressed] = CHECKPOINT.regimes;
    const singular = {
      ...calm!,
      covariance: [
        [1, 1],
        [1, 1],
      ],
    };
    expect(() => pathRun(pathInput({}), { ...CHECKPOINT, regimes: [singular, stressed!] })).to.throw(
      'not positive definite',
    );
  });
});
