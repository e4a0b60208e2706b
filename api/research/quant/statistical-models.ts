import Type from 'typebox';
import { Closed, ListOf, Nullable } from '#lib/core/schema.ts';
import { statisticalModels } from '#lib/forecasting/statistical-models.ts';
import { servingVersions } from '#lib/models/registry/model.query.ts';
import { defineOperation } from '../../services.ts';

const MODELS_MAX = 200;
const families = [...new Set(statisticalModels.map(({ family }) => family))];
const Text = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 200, description, examples: [example] });

const Prior = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'The prior weight at this frequency.',
  examples: [0.1],
});

const StatisticalModel = Closed(
  {
    key: Text('The key of the method in forecasts.', 'ets'),
    family: Type.Enum(families, { description: 'The family of the method.' }),
    title: Text('The title of the method.', 'Exponential smoothing, form chosen by AICc'),
    takes: Text('The kinds of series that the method supports.', 'any series'),
    serves: Type.Array(Text('Path of an operation.', '/planning/forecasts'), {
      maxItems: 10,
      description: 'The operations that use the method.',
    }),
    model: Text('The registered model that contains the method.', 'svc_forecast_combination_v4'),
    version: Nullable(
      Text('A version.', '1.0.0'),
      'The approved and active version of the registered model. Null if there is none; the method is then not used.',
    ),
    parameters: Type.Array(
      Closed(
        {
          name: Text('The parameter as named in results; <n> is a number starting at 1.', 'alpha'),
          description: Text('The meaning of the parameter.', 'The last level.'),
        },
        { description: 'A parameter.' },
      ),
      {
        maxItems: 20,
        description: 'The parameters that are estimated on a series. Some may be omitted for a given series.',
      },
    ),
    prior: Closed(
      { yearly: Prior, quarterly: Prior, monthly: Prior, weekly: Prior, daily: Prior, hourly: Prior },
      {
        description:
          'The prior weight of the method before the backtest, by frequency of the metric. 0: the forecast ' +
          'is shown but not weighted.',
      },
    ),
  },
  { title: 'StatisticalModel', description: 'A statistical method that produces forecasts.' },
);

export const listStatisticalModels = defineOperation({
  key: 'quant.statistical_models.list',
  product: 'Quant',
  method: 'GET',
  path: '/quant/statistical-models',
  scope: 'quant:models:read',
  summary: 'Lists the statistical methods that produce forecasts.',
  description:
    'Returns all methods on one page, in the same order as in forecast results. Each method has its supported ' +
    'series, its parameters and its prior weight. The final weight in a forecast depends on the features of the ' +
    'series and on the backtest.',
  query: Closed({
    family: Type.Optional(Type.Enum(families, { description: 'Returns only methods of this family.' })),
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
