import { expect } from 'chai';
import { evaluatePrediction } from '#lib/models/prediction/evaluation.ts';
import { fitModel, fitterOf, predict } from '#lib/models/prediction/model.ts';
import { predictionPerformance } from '#lib/models/prediction/performance.ts';
import { trainingRefusal, type Series } from '#lib/models/prediction/series.ts';
import { trainPrediction } from '#lib/models/prediction/training.ts';
import { walkForward } from '#lib/models/prediction/walk-forward.ts';
import { uniformStream } from '#lib/numerics/uniform-stream.ts';
import type { PredictionTask, SingleFit } from '#lib/models/registry/prediction.schema.ts';

const HASH = '0'.repeat(64);
const ROWS = 160;
const fits: SingleFit[] = [
  { family: 'ridge', lambda: null },
  { family: 'var', lags_max: 3 },
  { family: 'gbt', trees: 10, rate: 0.3, depth: 2, leaf_rows_min: 5, bins: 16 },
];
const ensemble: PredictionTask['fit'] = {
  family: 'ensemble',
  members: fits.map((fit) => ({
    name: fit.family,
    factors: ['A', 'B', 'Y'],
    version: null,
    weight: null,
    fit,
  })),
};
const aheadBy = (horizon: number, fit: PredictionTask['fit']): PredictionTask => ({
  target: 'Y',
  horizon,
  fit,
});

/**
 * Returns a series in which Y is twice the previous value of A, plus noise, and plus 100 from the row `from`
 * on. B has no effect on Y.
 */
function seriesOf({ noise, from = 0 }: { noise: number; from?: number }): Series {
  const next = uniformStream({ seed: 5, domain: 4, sample: 0 });
  const rows = Array.from({ length: ROWS }, () => [next() - 0.5, next() - 0.5, next() - 0.5]);
  return {
    factors: ['A', 'B', 'Y'],
    days: rows.map((_, at) => new Date(Date.UTC(2000, 0, 1 + at)).toISOString().slice(0, 10)),
    values: Float64Array.from(
      rows.flatMap(([a, b, e], at) => [
        a!,
        b!,
        2 * (rows[at - 1]?.[0] ?? 0) + noise * e! + (from > 0 && at >= from ? 100 : 0),
      ]),
    ),
  };
}

function inputOf(prediction: PredictionTask, approved?: { factors: string[]; prediction: PredictionTask }) {
  return {
    model_uid: 'lqm_01K8XQ5W3ZJ6T9R2M4N7P0QABC',
    version_uid: 'lqv_01K8XQ5W3ZJ6T9R2M4N7P0QABC',
    version: 2,
    content_hash: HASH,
    family: prediction.fit.family,
    factors: ['A', 'B', 'Y'],
    dataset: { id: 1, revision: 1, content_hash: HASH },
    training_uid: 'trn_01K8XQ5W3ZJ6T9R2M4N7P0QABC',
    checkpoint_hash: HASH,
    holdout_share: 0.25,
    prediction,
    ...(approved && { approved: { version: 1, version_uid: 'lqv_01K8XQ5W3ZJ6T9R2M4N7P0QABC', ...approved } }),
  };
}

describe('prediction models', () => {
  for (const fit of [...fits, ensemble])
    it(`of the family ${fit.family} do not use later data to predict held-out rows`, () => {
      for (const horizon of [1, 3]) {
        const task = aheadBy(horizon, fit);
        const [plain, changed] = [seriesOf({ noise: 0.3 }), seriesOf({ noise: 0.3, from: 140 })].map(
          (series) => walkForward(series, task, { share: 0.25, blocks: 4, fit: fitterOf(task) }),
        );
        expect(plain!.fittedRows).to.equal(120 - horizon + 1);
        // The second series differs from row 140 on. The first 21 predictions, rows 120 to 140, use only rows
        // before 140, so they must be equal.
        expect([...changed!.predicted.slice(0, 21)]).to.deep.equal([...plain!.predicted.slice(0, 21)]);
        expect([...changed!.predicted]).to.not.deep.equal([...plain!.predicted]);
      }
    });

  it('pass their evaluation if the target is predictable, and fail if the target is random', () => {
    for (const fit of [...fits, ensemble]) {
      const found = evaluatePrediction(seriesOf({ noise: 0.3 }), inputOf(aheadBy(1, fit)))!;
      expect(found.passed, fit.family).to.equal(true);
      expect(found.skill, fit.family).to.be.greaterThan(0.5);
      expect(found.rmse).to.be.lessThan(found.baseline.rmse);
      expect(found.difference_p_value).to.be.lessThan(0.001);
      expect([found.held_out_rows, found.refits, found.approved]).to.deep.equal([40, 5, null]);
      expect(found.confidence_set.members.map(({ name, in_set }) => [name, in_set])).to.deep.equal([
        ['version', true],
        ['baseline', false],
      ]);
    }
    const noise = seriesOf({ noise: 0.3 });
    const shuffled = {
      ...noise,
      values: noise.values.map((value, at) => (at % 3 === 2 ? value : (at * 37) % 11)),
    };
    const found = evaluatePrediction(shuffled, inputOf(aheadBy(3, fits[2]!)))!;
    expect([found.passed, found.skill! < 0]).to.deep.equal([false, true]);
  });

  it('fail their evaluation if the approved version is significantly better, and pass if it is worse', () => {
    const series = seriesOf({ noise: 0.3 });
    const weak: SingleFit = { family: 'ridge', lambda: 3 };
    const strong = { factors: ['A', 'Y'], prediction: aheadBy(1, fits[0]!) };
    const found = evaluatePrediction(series, inputOf(aheadBy(1, weak), strong))!;
    expect(found.skill).to.be.greaterThan(0);
    expect(found.approved!.rmse).to.be.lessThan(found.rmse);
    expect(found.approved!.difference_p_value).to.be.lessThan(0.05);
    expect(found.passed).to.equal(false);
    expect(found.confidence_set.members.map(({ name }) => name)).to.deep.equal([
      'version',
      'baseline',
      'approved',
    ]);
    const other = { factors: ['A', 'B', 'Y'], prediction: aheadBy(1, weak) };
    expect(evaluatePrediction(series, inputOf(aheadBy(1, fits[0]!), other))!.passed).to.equal(true);
  });

  it('are compared with the last value as baseline if its error is smaller than the error of the mean', () => {
    const { factors, days, values } = seriesOf({ noise: 0.3 });
    const walk = {
      factors,
      days,
      values: values.map((value, at) => (at % 3 === 2 ? at / 3 + value : value)),
    };
    const found = evaluatePrediction(walk, inputOf(aheadBy(1, fits[0]!)))!;
    expect(found.baseline.kind).to.equal('last_value');
  });

  it('of an ensemble predict the weighted mean of an earlier trained member and a newly fitted member', () => {
    const series = seriesOf({ noise: 0.3 });
    const old = seriesOf({ noise: 2 });
    const sealed = trainPrediction(old, inputOf(aheadBy(1, fits[0]!)), {})!.checkpoint;
    const version = {
      model_uid: 'lqm_01K8XQ5W3ZJ6T9R2M4N7P0QABC',
      version_uid: 'lqv_01K8XQ5W3ZJ6T9R2M4N7P0QABC',
      version: 1,
      content_hash: HASH,
      training_uid: 'trn_old',
      checkpoint_hash: HASH,
    };
    const mixed = fitModel(
      series,
      aheadBy(1, {
        family: 'ensemble',
        members: [
          { name: 'old@1', factors: ['A', 'B', 'Y'], version, weight: 0.25, fit: fits[0]! },
          { name: 'ridge', factors: ['A', 'B', 'Y'], version: null, weight: 0.75, fit: fits[0]! },
        ],
      }),
      { trn_old: sealed },
    )!;
    const [kept, own] = [sealed.parameters, fitModel(series, aheadBy(1, fits[0]!), null)!].map((parameters) =>
      predict(parameters, series, aheadBy(1, fits[0]!)),
    );
    const reported = predict(mixed, series, aheadBy(1, fits[0]!));
    reported.forEach((value, at) => expect(value).to.be.closeTo(0.25 * kept![at]! + 0.75 * own![at]!, 1e-12));
  });

  it('have a checkpoint from which the performance on new rows can be judged', () => {
    const series = seriesOf({ noise: 0.3 });
    const { checkpoint } = trainPrediction(series, inputOf(aheadBy(1, fits[0]!)), {})!;
    expect(checkpoint.baseline.kind).to.equal('mean');
    expect(checkpoint.reference_profile.predictions.rows).to.equal(ROWS - 1);
    const rows = { days: [...series.days], values: series.values };
    expect(predictionPerformance(checkpoint, rows)).to.include({ state: 'as_accepted', log_score: null });
    const turned = series.values.map((value, at) => (at % 3 === 0 ? -value : value));
    expect(predictionPerformance(checkpoint, { ...rows, values: turned }).state).to.equal('worse');
    const gap = series.values.map((value, at) => (at === 7 ? NaN : value));
    expect(predictionPerformance(checkpoint, { ...rows, values: gap }).reason).to.equal('values_missing');
    const twice = [...series.days.slice(1), series.days[1]!];
    expect(predictionPerformance(checkpoint, { ...rows, days: twice }).reason).to.equal('days_repeated');
  });

  it('are not trained on too few rows, on two rows of one day or on a row that lacks a value', () => {
    const series = seriesOf({ noise: 0.3 });
    const aim = aheadBy(1, fits[0]!);
    expect(trainingRefusal(series, aim)).to.equal(undefined);
    const few = {
      factors: series.factors,
      days: series.days.slice(0, 60),
      values: series.values.slice(0, 180),
    };
    expect(trainingRefusal(few, aim)).to.include({ observed: 60, needed: 61 });
    const repeated = { ...series, days: series.days.map((day, at) => (at === 9 ? series.days[8]! : day)) };
    expect(trainingRefusal(repeated, aim)!.detail).to.contain('two rows have the day');
    const gap = { ...series, values: series.values.map((value, at) => (at === 30 ? NaN : value)) };
    expect(trainingRefusal(gap, aim)!.detail).to.equal(`the row of ${series.days[10]} lacks a value`);
  });
});
