import Type from 'typebox';
import { Closed, Instant, Nullable } from '#lib/core/schema.ts';
import { featureMatrixAsOf } from '#lib/data/feature-join.query.ts';
import { featuresOfEntities } from '#lib/data/feature/version.query.ts';
import { ageDays, Block, DatasetUid, defineBlock, latestOf } from './block.ts';
import { Text } from './wire.ts';

const FEATURES_MAX = 200;

const MaybeDataset = (description: string) => Nullable(DatasetUid, description);

const schema = Block(
  {
    values: Type.Array(
      Closed(
        {
          feature: Text(100, 'The key of the feature.', 'momentum_12_1'),
          version: Type.Integer({ minimum: 1, description: 'The version of the feature.', examples: [1] }),
          dataset: MaybeDataset(
            'The dataset that the feature is computed from; null if the workspace is no longer entitled to the dataset.',
          ),
          unit: Text(100, 'The unit of the value.', 'return'),
          value: Type.Number({ description: 'The value.', examples: [0.12] }),
          event_time: Instant,
          known_at: Instant,
        },
        { title: 'CompanyFeature', description: 'The known value of a feature.' },
      ),
      {
        minItems: 1,
        maxItems: FEATURES_MAX,
        description:
          'The active features with a known value that is not stale, by key. Each feature is in its latest version.',
      },
    ),
  },
  {
    title: 'CompanyFeatures',
    description: 'The values of the features of the workspace for the company.',
    since: 'the newest event',
    dataset: MaybeDataset('The dataset of all features; null if they are computed from several datasets.'),
  },
);

/** The values of the workspace's features for the company, as they were known on the day of the page. */
export const features = defineBlock({
  scope: 'quant:features:read',
  kind: null,
  schema,
  async read(em, company) {
    const { workspace, symbols, day } = company;
    const wanted = await featuresOfEntities(em, {
      workspace,
      entityType: 'instrument',
      limit: FEATURES_MAX,
    });
    const versionIds = wanted.map(({ id }) => id);
    const cells =
      wanted.length === 0 ? [] : await featureMatrixAsOf(em, { versionIds, entities: symbols, asOf: day });
    const known = wanted.flatMap(({ id, feature, version, unit, dataset }) => {
      const held = cells.filter(({ versionId, value }) => versionId === id && value !== null);
      const cell = symbols.flatMap((symbol) => held.find(({ entity }) => entity === symbol) ?? [])[0];
      if (!cell) return [];
      const { value, eventTime, knownAt } = cell;
      return { feature, version, dataset, unit, value: value!, event_time: eventTime!, known_at: knownAt! };
    });
    if (known.length === 0)
      return cells.some(({ reason }) => reason === 'stale') ? 'stale' : 'never_observed';
    const datasets = new Set(known.map(({ dataset }) => dataset));
    return {
      dataset: datasets.size === 1 ? known[0]!.dataset : null,
      known_at: latestOf(known.map(({ known_at }) => known_at)),
      age_days: ageDays(company, latestOf(known.map(({ event_time }) => event_time))),
      values: known,
    };
  },
});
