import { expect } from 'chai';
import type { PredictionCheckpoint } from '#lib/models/registry/prediction.schema.ts';
import { rowFaults } from '#lib/quant/models/prediction-input.query.ts';
import type { PredictionRunInput } from '#lib/quant/models/prediction-runs.schema.ts';
import { runPrediction } from '#lib/quant/models/run-prediction.ts';

const checkpoint = {
  factors: ['a', 'b'],
  target: 'a',
  horizon: 1,
  parameters: {
    family: 'ridge',
    features: ['a', 'b'],
    intercept: 1,
    coefficients: [2, 10],
    lambda: 1,
    leave_one_out_error: 0,
  },
} as unknown as PredictionCheckpoint;

const input = (changed: Partial<PredictionRunInput> = {}) =>
  ({ target: 'a', horizon: 1, as_of: null, latest: 2, ...changed }) as PredictionRunInput;
const days = ['2024-01-31', '2024-02-29', '2024-03-31'];
const rows = (values: number[]) => ({ factors: ['b', 'a'], days, values: Float64Array.from(values) });

describe('predictions of a model', () => {
  it('are made from the newest rows, by the names of the columns', () => {
    const outcome = runPrediction(input(), { checkpoint, rows: rows([1, 1, 2, 3, 5, 8]) });
    expect(outcome.ok && outcome.output.result).to.deep.equal({
      target: 'a',
      horizon: 1,
      family: 'ridge',
      predictions: [
        { date: '2024-02-29', prediction: 27 },
        { date: '2024-03-31', prediction: 67 },
      ],
      rows_read: 3,
    });
  });

  it('ignore rows after the as-of day', () => {
    const data = { checkpoint, rows: rows([1, 1, 2, 3, 5, 8]) };
    const outcome = runPrediction(input({ as_of: '2024-02-29', latest: 1 }), data);
    expect(outcome.ok && outcome.output.result.predictions).to.deep.equal([
      { date: '2024-02-29', prediction: 27 },
    ]);
    expect(runPrediction(input({ as_of: '2023-12-31' }), data)).to.deep.include({ ok: false });
  });

  it('are null for a row with a missing value, and are refused if no row can be predicted', () => {
    const gap = runPrediction(input(), { checkpoint, rows: rows([1, 1, Number.NaN, 3, 5, 8]) });
    expect(gap.ok && gap.output.result.predictions[0]).to.deep.equal({
      date: '2024-02-29',
      prediction: null,
    });
    const none = runPrediction(input({ latest: 1 }), { checkpoint, rows: rows([1, 1, 2, 3, 5, Number.NaN]) });
    expect(!none.ok && none.refusal.code).to.equal('insufficient_history');
  });

  it('need exactly one source of rows, and rows that are in the order of their days and have the columns of the model', () => {
    const pointers = (given: Parameters<typeof rowFaults>[0]) =>
      rowFaults(given, ['a', 'b']).map(({ pointer, code }) => [pointer, code]);
    const row = (date: string, values: Record<string, number | null> = { a: 1, b: 2 }) => ({ date, values });
    expect(pointers({})).to.deep.equal([['/input/dataset_id', 'required']]);
    expect(pointers({ dataset_id: 1, rows: [row('2024-01-31')] })).to.deep.equal([
      ['/input/rows', 'excluded'],
    ]);
    expect(pointers({ dataset_id: 1 })).to.deep.equal([]);
    expect(pointers({ rows: [row('2024-01-31'), row('2024-01-31')] })).to.deep.equal([
      ['/input/rows/1/date', 'order'],
    ]);
    expect(pointers({ rows: [row('2024-02-30')] })).to.deep.equal([['/input/rows/0/date', 'date']]);
    expect(pointers({ rows: [row('2024-01-31', { a: 1 })] })).to.deep.equal([
      ['/input/rows/0/values', 'columns_missing'],
    ]);
    expect(pointers({ rows: [row('2024-01-31', { a: 1, b: null, c: 3 })] })).to.deep.equal([
      ['/input/rows/0/values', 'column_unknown'],
    ]);
  });
});
