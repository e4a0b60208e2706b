import { expect } from 'chai';
import { Matrix } from 'ml-matrix';
import { regimeMonths } from '#lib/models/scenarios/regime-months.ts';
import { scenarioRun } from '#lib/models/scenarios/scenario-run.ts';
import { engines, type ScenarioInput } from '#lib/models/scenarios/scenarios.schema.ts';
import { drawPaths } from '#lib/numerics/scenario/draw-paths.ts';
import { lowerCholesky } from '#lib/numerics/scenario/lower-cholesky.ts';
import { CHECKPOINT, scenarioInput } from './checkpoint.ts';

/** 400 months of log returns, drawn from the model as one path. */
const months = (() => {
  const { cumulative } = drawPaths(
    {
      means: CHECKPOINT.regimes.map(({ means }) => Float64Array.from(means)),
      lowers: CHECKPOINT.regimes.map(({ covariance }) => lowerCholesky(new Matrix(covariance))!),
      transitions: new Matrix(CHECKPOINT.transitions),
    },
    { seed: 1, first: 0, count: 1, horizon: 400, start: [1, 0] },
  );
  return cumulative.map((each, at) => (at < 2 ? each : each - cumulative[at - 2]!));
})();

function run(changed: Partial<ScenarioInput>, chunk?: number) {
  const found = scenarioRun(scenarioInput(changed), CHECKPOINT, { months, ...(chunk ? { chunk } : {}) });
  if (!found.ok) throw new Error(found.detail);
  return found;
}
const degreesOf = (engine: (typeof engines)[number]) =>
  engine === 'student_t' || engine === 't_copula_empirical' ? 6 : null;

describe('the scenarios of each engine', () => {
  it('have the same hashes for any batch size of draws', () => {
    for (const engine of engines)
      for (const regime of ['stressed', 'ergodic'] as const) {
        const changed = { engine, regime, degrees_of_freedom: degreesOf(engine), samples: 1_001 };
        const whole = run(changed, 1_001).result;
        for (const chunk of [1, 10, 333, 4_096])
          expect(run(changed, chunk).result, `${engine} ${chunk}`).to.deep.equal(whole);
      }
  });

  it('with filtered_historical are months of the training data, mostly of the requested regime', () => {
    const known = new Map(Array.from({ length: 400 }, (_, at) => [months[2 * at]!, at]));
    const [calm, stressed] = regimeMonths(CHECKPOINT, months);
    const shareOf = (regime: 'calm' | 'stressed') => {
      const { matrix } = run({ engine: 'filtered_historical', regime, samples: 5_000, antithetic: false });
      let own = 0;
      for (let at = 0; at < matrix.length; at += 2) {
        const month = known.get(matrix[at]!)!;
        expect(matrix[at + 1]).to.equal(months[2 * month + 1]);
        own += Number(
          regime === 'calm' ? calm![month]! > stressed![month]! : stressed![month]! > calm![month]!,
        );
      }
      return own / 5_000;
    };
    expect(shareOf('calm')).to.be.above(0.8);
    expect(shareOf('stressed')).to.be.above(0.8);
  });

  it('have a mean and a standard deviation close to those of the regime, for every engine', () => {
    for (const engine of engines) {
      const { result } = run({ engine, degrees_of_freedom: degreesOf(engine), samples: 20_000 });
      const { mean, standard_deviation } = result.factors[0]!.statistics;
      expect(mean, engine).to.be.closeTo(-0.05, 0.03);
      expect(standard_deviation, engine).to.be.closeTo(0.1, 0.03);
      expect(result.closed_form === null, engine).to.equal(engine !== 'gaussian');
    }
  });

  it('use weights of the training months that sum to 1 in each regime', () => {
    for (const weights of regimeMonths(CHECKPOINT, months)) {
      expect(weights.reduce((total, each) => total + each, 0)).to.be.closeTo(1, 1e-12);
      expect(Math.min(...weights)).to.be.at.least(0);
    }
    expect(() => scenarioRun(scenarioInput({ engine: 'filtered_historical' }), CHECKPOINT)).to.throw(
      'needs the data of the training months',
    );
  });
});
