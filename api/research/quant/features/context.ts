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
      Type.String({ maxLength: 100, description: 'The requested entity.', examples: ['AAPL'] }),
      'The requested entity; null if the request named no entities.',
    ),
    reason: Type.Enum(
      contextStates.filter((state) => state !== 'synchronised'),
      { description: 'The most serious fault of the feature.' },
    ),
    event_time: Nullable(InstantOf('The last known event; null if none was known.')),
    age_days: Nullable(days('Whole days from the last event to the end of the `as_of` day.')),
    allowed_days: Nullable(
      days(
        'The limit that was exceeded, in days: the maximum age, or the maximum distance to the newest event.',
      ),
    ),
    behind_days: Nullable(days('Days between the last event and the newest event of all features.')),
  },
  {
    title: 'FeatureOffence',
    description: 'A feature that is missing, stale or not aligned with the others.',
  },
);

const FeatureContext = Closed(
  {
    state: Type.Enum([...contextStates], {
      description: 'The most serious fault found, in the order missing, stale, unaligned; or `synchronised`.',
    }),
    as_of: IsoDate,
    tolerance_days: days(
      'The maximum number of days from the last event of a feature to the newest event of all features. A feature that is further behind is `unaligned`.',
    ),
    newest_event_time: Nullable(InstantOf('The time of the newest event of all features.')),
    features: Type.Array(Type.String({ examples: ['momentum_12_1'] }), {
      description: 'The keys of the features, in the order of the request.',
    }),
    offending: Type.Array(Offence, {
      description: 'The features with a fault. Empty if all features are synchronised.',
    }),
  },
  { title: 'FeatureContext', description: 'Whether all features of a set describe the same time.' },
);

export const readFeatureContext = defineOperation({
  key: 'quant.features.context.get',
  product: 'Quant',
  method: 'GET',
  path: '/quant/features/context',
  scope: 'quant:features:read',
  addition: true,
  summary: 'Checks whether features describe the same time, as known at the end of a day.',
  description:
    'The check uses the latest version of each feature. A feature is missing if no value was known, stale ' +
    'if its last event is older than its maximum age, and unaligned if the time from its last event to ' +
    'the newest event of all features exceeds the tolerance.',
  query: Closed({
    features: Type.Optional(
      listed(
        50,
        'Keys of features, separated by commas. Default: all active features.',
        'momentum_12_1,volatility_12m',
      ),
    ),
    as_of: Type.Optional(IsoDate),
    entities: Type.Optional(
      listed(
        100,
        'Entities that must have values, separated by commas. Default: the newest event of any entity is used.',
        'AAPL,MSFT',
      ),
    ),
    tolerance_days: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 3_660,
        default: TOLERANCE_DAYS,
        description:
          'The maximum number of days from the last event of a feature to the newest event of all features. A feature that is further behind is `unaligned`.',
      }),
    ),
    max_age_days: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 36_600,
        description:
          'A stricter maximum age of the last events, in days. The limits of the features still apply.',
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
