import Type, { type Static } from 'typebox';
import { Closed, IsoDate } from '#lib/core/schema.ts';
import { aggregates, dimensions, forms, orders, queryOps } from './query.ts';

const Word = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 120, description, examples: [example] });
const PeriodName = (description: string) =>
  Type.String({ minLength: 4, maxLength: 10, description, examples: ['2024-Q4'] });

const Subject = Closed(
  { type: Word('The type of the entity.', 'company'), key: Word('The key of the entity.', '1') },
  { title: 'QlmSubject', description: 'An entity that the query is about.' },
);
const Shock = Closed(
  {
    factor: Word('The factor that is set.', 'XOM'),
    unit: Type.Enum(['return', 'percent', 'bp', 'sigma'], { description: 'The unit of the shock.' }),
    value: Type.Number({ minimum: -1e15, maximum: 1e15, description: 'The size of the shock.' }),
  },
  { title: 'QlmShock', description: 'A shock of a factor.' },
);
const Where = Closed(
  {
    field: Word('The name of the field.', 'state'),
    op: Type.Enum(['eq', 'gt', 'gte', 'lt', 'lte', 'between'], { description: 'The comparison.' }),
    value: Type.Union(
      [
        Type.String({ maxLength: 200 }),
        Type.Number({ minimum: -1e15, maximum: 1e15 }),
        Shock,
        Type.Array(Type.String({ maxLength: 200 }), { minItems: 2, maxItems: 2 }),
      ],
      { description: 'The compared value. `between` takes the first and the last day.' },
    ),
  },
  { title: 'QlmCondition', description: 'A condition of the query.' },
);
const Period = Closed(
  {
    at: Type.Optional(
      Type.String({
        minLength: 4,
        maxLength: 10,
        description: 'One period, or `latest` for the newest stored period.',
        examples: ['2024-Q4'],
      }),
    ),
    from: Type.Optional(PeriodName('The first period of a window.')),
    to: Type.Optional(PeriodName('The last period of a window. Default: the newest stored period.')),
    last: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_200, description: 'The number of newest periods.' }),
    ),
  },
  { title: 'QlmPeriod', description: 'The period of the query: one period, a window, or the last periods.' },
);
const Run = Closed(
  {
    kind: Word('The kind of the run.', 'investment.theme-factors'),
    as_of_date: Type.Optional({ ...IsoDate, description: 'The as-of day of the run.' }),
    select: Type.Optional(Word('The uid of the run, or `latest`.', 'latest')),
  },
  { title: 'QlmRunChoice', description: 'The sealed run that the query is about.' },
);

/** The schema of a semantic query in requests and answers. */
export const SemanticQuerySchema = Closed(
  {
    op: Type.Enum([...queryOps], { description: 'The operation.', examples: ['value'] }),
    measure: Type.Optional(Word('The key of the measure.', 'economics.GDPC1')),
    of: Type.Optional(
      Type.Array(Subject, { maxItems: 20, description: 'The entities that the query is about.' }),
    ),
    where: Type.Optional(Type.Array(Where, { maxItems: 10, description: 'The conditions.' })),
    period: Type.Optional(Period),
    baseline: Type.Optional(
      Closed(
        {
          period: Type.Optional(Period),
          measure: Type.Optional(Word('The measure that is compared.', 'economics.GDP')),
          run: Type.Optional(Run),
        },
        { description: 'The base of a change or comparison.' },
      ),
    ),
    agg: Type.Optional(Type.Enum([...aggregates], { description: 'The aggregation.' })),
    as: Type.Optional(
      Type.Enum([...forms], {
        description: 'The form of a change. Default: the difference.',
      }),
    ),
    by: Type.Optional(
      Type.Enum([...dimensions], {
        description: 'The dimension of the figures.',
      }),
    ),
    order: Type.Optional(Type.Enum([...orders], { description: 'The order of a ranking.' })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 200, description: 'The number of rows of a ranking.' }),
    ),
    nth: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 200, description: 'The place in a ranking, from 1.' }),
    ),
    as_of: Type.Optional({
      ...IsoDate,
      description: 'The as-of day: only data known by the end of this day is used.',
    }),
    run: Type.Optional(Run),
    unit: Type.Optional(Word('The unit of the figure.', 'EUR')),
    what: Type.Optional(Word('The requested field or aspect.', 'source')),
  },
  { title: 'SemanticQuery', description: 'A query over measures, evaluated by code.' },
);
export type SentQuery = Static<typeof SemanticQuerySchema>;
