import Type from 'typebox';
import { Closed, ListOf, Nullable } from '#lib/core/schema.ts';
import { statisticalModels } from '#lib/forecasting/statistical-models.ts';
import { servingVersions } from '#lib/models/registry/model.query.ts';
import { defineOperation } from '../../services.ts';

const MODELS_MAX = 200;
const families = [...new Set(statisticalModels.map(({ family }) => family))];
const Text = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 200, description, examples: [example] });

const Prior = Type.Number({ minimum: 0, maximum: 1, description: 'At this frequency.', examples: [0.1] });

const StatisticalModel = Closed(
  {
    key: Text('What a forecast names it by.', 'ets'),
    family: Type.Enum(families, { description: 'Kind of the method.' }),
    title: Text('Its name.', 'Exponential smoothing, form by AICc'),
    takes: Text('The series that it can take.', 'any series'),
    serves: Type.Array(Text('Path of an operation.', '/planning/forecasts'), {
      maxItems: 10,
      description: 'What it is computed for.',
    }),
    model: Text('The registered model that it is a part of.', 'svc_forecast_combination_v1'),
    version: Nullable(
      Text('A version.', '1.0.0'),
      'The approved and active version of that model; null where there is none, and then it serves nothing.',
    ),
    parameters: Type.Array(
      Closed(
        {
          name: Text('As in results; <n> is a number from 1 on.', 'alpha'),
          description: Text('What it is.', 'The last level.'),
        },
        { description: 'A parameter.' },
      ),
      { maxItems: 20, description: 'What is estimated on a series, at the most.' },
    ),
    prior: Closed(
      { yearly: Prior, quarterly: Prior, monthly: Prior, weekly: Prior, daily: Prior, hourly: Prior },
      {
        description:
          'Its usual share before the backtest, by how often a metric is observed; 0: it is only shown.',
      },
    ),
  },
  { title: 'StatisticalModel', description: 'A method that forecasts are made by.' },
);

export const listStatisticalModels = defineOperation({
  key: 'quant.statistical_models.list',
  product: 'Quant',
  method: 'GET',
  path: '/quant/statistical-models',
  scope: 'quant:models:read',
  summary: 'Lists the methods that forecasts are made by.',
  description:
    'All on one page, in the order in which results name them: what each takes and estimates, and its usual share before ' +
    'the backtest. That of a forecast follows from features of its series, and from the backtest.',
  query: Closed({
    family: Type.Optional(Type.Enum(families, { description: 'Only methods of this kind.' })),
  }),
  success: { status: 200, description: 'The methods.', schema: ListOf(StatisticalModel) },
  problems: [],
  async handle({ services, query }) {
    const shown = statisticalModels.filter(
      ({ family }) => query.family === undefined || family === query.family,
    );
    const versions = await services.query(servingVersions, [...new Set(shown.map(({ model }) => model))]);
    return {
      status: 200,
      body: {
        data: shown.map(({ key, family, title, takes, model, parameters, prior }) => ({
          key,
          family,
          title,
          takes,
          serves: ['/planning/forecasts'],
          model,
          version: versions.get(model) ?? null,
          parameters: [...parameters],
          prior,
        })),
        page: { limit: MODELS_MAX, next_cursor: null, has_more: false },
      },
    };
  },
});
