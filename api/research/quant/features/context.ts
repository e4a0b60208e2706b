import Type from 'typebox';
import { utcDate } from '#lib/core/clock.ts';
import { Closed, InstantOf, IsoDate, Nullable } from '#lib/core/schema.ts';
import { contextStates } from '#lib/data/feature-context.ts';
import { featureContext } from '#lib/data/feature/feature.query.ts';
import { checkedAsOf } from '../../../as-of.ts';
import { defineOperation } from '../../../services.ts';

const TOLERANCE_DAYS = 31;
const WORD = '[^,\\s\\u0000-\\u001f\\u007f]{1,100}';

const listed = (max: number, description: string, example: string) =>
  Type.String({
    pattern: `^${WORD}(,${WORD}){0,${max - 1}}$`,
    description,
    examples: [example],
  });
const days = (description: string) => Type.Integer({ description, examples: [12] });

const Offence = Closed(
  {
    feature: Type.String({ description: 'The key of the feature.', examples: ['momentum_12_1'] }),
    entity: Nullable(
      Type.String({ maxLength: 100, description: 'Whom it is about, as asked.', examples: ['AAPL'] }),
      'Null where no entities were asked about.',
    ),
    reason: Type.Enum(
      contextStates.filter((state) => state !== 'synchronised'),
      { description: 'Its gravest fault.' },
    ),
    event_time: Nullable(InstantOf('The last event that was known.')),
    age_days: Nullable(days('Whole days from it to the end of the day.')),
    allowed_days: Nullable(days('What the age, or the distance to the newest event, is held to.')),
    behind_days: Nullable(days('Days behind the newest event of all.')),
  },
  { title: 'FeatureOffence', description: 'A feature that does not tell of the same time as the others.' },
);

const FeatureContext = Closed(
  {
    state: Type.Enum([...contextStates], {
      description: 'The gravest of all faults: missing before stale before unaligned.',
    }),
    as_of: IsoDate,
    tolerance_days: days('How many days the last events may lie apart.'),
    newest_event_time: Nullable(InstantOf('The newest event of all.')),
    features: Type.Array(Type.String({ examples: ['momentum_12_1'] }), {
      description: 'The keys, in the order of the question.',
    }),
    offending: Type.Array(Offence, { description: 'What offends; empty where all is synchronised.' }),
  },
  { title: 'FeatureContext', description: 'Whether a set of features was known of one time.' },
);

export const readFeatureContext = defineOperation({
  key: 'quant.features.context.get',
  product: 'Quant',
  method: 'GET',
  path: '/quant/features/context',
  scope: 'quant:features:read',
  addition: true,
  summary: 'Tells whether features were known of one time by the end of a day.',
  description:
    'Of the latest versions. A feature is missing where nothing was known, stale where its last event is older than ' +
    'it allows, and unaligned where that is further behind the newest event of all than is tolerated.',
  query: Closed({
    features: Type.Optional(
      listed(50, 'Keys of features, by comma; else all that are active.', 'momentum_12_1,volatility_12m'),
    ),
    as_of: Type.Optional(IsoDate),
    entities: Type.Optional(
      listed(100, 'Whom they must be known of, by comma; else the newest event of any counts.', 'AAPL,MSFT'),
    ),
    tolerance_days: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 3_660,
        default: TOLERANCE_DAYS,
        description: 'How many days the last events may lie apart.',
      }),
    ),
    max_age_days: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 36_600,
        description: 'How old the last events may be, where that is less than the features allow.',
        examples: [40],
      }),
    ),
  }),
  success: { status: 200, description: 'The context.', schema: FeatureContext },
  problems: ['not_found'],
  async handle({ services, caller, query, fail }) {
    const asOf = checkedAsOf(query.as_of, services.clock) ?? utcDate(services.clock.now());
    const toleranceDays = query.tolerance_days ?? TOLERANCE_DAYS;
    const wanted = query.features === undefined ? undefined : [...new Set(query.features.split(','))];
    const entities = query.entities === undefined ? undefined : [...new Set(query.entities.split(','))];
    const { workspace } = caller;
    const requested = { workspace, wanted, asOf, entities, toleranceDays, maxAgeDays: query.max_age_days };
    const found = await services.query(featureContext, requested);
    if (!found.ok) return fail('not_found', `There is no feature ${found.unknown}.`);
    const { context, features } = found;
    return {
      status: 200,
      body: {
        state: context.state,
        as_of: asOf,
        tolerance_days: toleranceDays,
        newest_event_time: context.newestEvent,
        features,
        offending: context.offending.map((conflict) => ({
          feature: conflict.feature,
          entity: conflict.entity,
          reason: conflict.reason,
          event_time: conflict.eventTime,
          age_days: conflict.ageDays,
          allowed_days: conflict.allowedDays,
          behind_days: conflict.behindDays,
        })),
      },
    };
  },
});
