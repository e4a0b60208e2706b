import type { Checkpoint } from '#lib/models/registry/checkpoint.schema.ts';
import type { Readers } from '../facts/readers.ts';
import type { Domain } from '../language/catalogue.ts';
import type { QlmProfile } from '../registry/profile.schema.ts';
import { boundCheckpoint, conditionalMeanOf, hasDrifted, type BoundState } from './bound-model.query.ts';
import { featurePanel, featureSeries } from './features.query.ts';
import { portfolioFigures } from './portfolio-figures.query.ts';
import { newestPriceDay, pricePanel, priceSeries } from './prices.query.ts';
import { ReadingRefused, type ReadingState } from './reading.ts';
import { referredRecords, storedRecords } from './records.query.ts';
import { resultReader, sealedRuns } from './sealed-runs.query.ts';
import { economicRevisions, economicSeries, metricRevisions, metricSeries } from './series.query.ts';
import { taxonomyRows } from './taxonomy.query.ts';

/** The models that compute the runs which questions may be about. */
const METHODS: Readonly<Record<string, string>> = {
  factor: 'svc_theme_factor_ridge_v1',
  scenario: 'svc_scenarios_v1',
};

export type ReaderOptions = {
  /** The domains that both the scopes of the caller and the profile give access to. */
  open: ReadonlySet<Domain>;
  profile: QlmProfile;
  bound: BoundState | undefined;
};

/** Returns readers over the database, in the transaction of the question. */
export function databaseReaders(state: ReadingState, { open, profile, bound }: ReaderOptions): Readers {
  const { directory } = state;
  const results = resultReader(state);
  const model = modelReaders(state, { profile, bound });
  const series: Readers['series'] = async (key, subject, asOf) => {
    const [domain, name = ''] = key.split('.');
    if (domain === 'economics') return economicSeries(state, { key: name, asOf });
    if (domain === 'price') return priceSeries(state, { column: name, symbol: subject, asOf });
    if (domain === 'feature')
      return featureSeries(state, { key: key.slice('feature.'.length), symbol: subject, asOf });
    if (domain === 'metric' && subject !== undefined)
      return metricSeries(state, { metric: name, company: subject, asOf });
    return [];
  };
  return {
    measure: (key) => directory.measures.get(key),
    entities: async (type) => directory.entities.get(type) ?? [],
    series: cachedSeries(series),
    panel: (key, period) =>
      key.startsWith('feature.')
        ? featurePanel(state, key.slice('feature.'.length), period)
        : pricePanel(state, key.slice('price.'.length), period),
    async revisions(key, subject, period) {
      const [domain, name = ''] = key.split('.');
      if (domain === 'economics') return economicRevisions(state, name, period);
      if (domain === 'metric' && subject !== undefined)
        return metricRevisions(state, { metric: name, company: subject }, period);
      return (await series(key, subject, undefined)).filter((each) => each.period === period);
    },
    records: (noun) => storedRecords(state, noun),
    figures: async (noun, asked) => (noun === 'portfolio' ? portfolioFigures(state, asked) : []),
    references: (texts) => referredRecords(state, texts, open),
    taxonomy: (choice) => taxonomyRows(state, choice),
    runs: (kind) => sealedRuns(state, kind),
    runValue: results.value,
    runKeys: results.keys,
    ...model,
    definition: async (key) => directory.definitions.get(key) ?? directory.measures.get(key)?.title,
    async source(key, subject) {
      if (key.startsWith('economics.'))
        return directory.series.get(key.slice('economics.'.length))?.source ?? undefined;
      const [first] = await series(key === 'price' ? 'price.close' : key, subject, undefined);
      return first?.source.name.split('/')[1];
    },
    async freshness(key) {
      if (key.startsWith('price')) return newestPriceDay(state);
      return (await series(key, undefined, undefined)).at(-1)?.period;
    },
    method: async (noun) => METHODS[noun],
    domains: () => [...open].filter((each) => each !== 'model' || bound !== undefined).sort(),
  };
}

/** Reads each series once for a question. */
function cachedSeries(read: Readers['series']): Readers['series'] {
  const known = new Map<string, ReturnType<Readers['series']>>();
  return (key, subject, asOf) => {
    const name = JSON.stringify([key, subject, asOf]);
    const found = known.get(name) ?? read(key, subject, asOf);
    known.set(name, found);
    return found;
  };
}

type ModelReaders = Pick<Readers, 'regimes' | 'conditionalMean' | 'modelFactors'>;

/** Readers of the bound checkpoint. Without a binding there is no model. */
function modelReaders(
  { em }: ReadingState,
  { profile, bound }: Pick<ReaderOptions, 'profile' | 'bound'>,
): ModelReaders {
  let read: Promise<Checkpoint | undefined> | undefined;
  const checkpoint = async (): Promise<Checkpoint | undefined> => {
    const { bound_lqm: binding } = profile;
    if (!binding || !bound || bound.trainingUid === null) return undefined;
    if (hasDrifted(await bound.drift())) throw new ReadingRefused('bound_model_drifted');
    return (read ??= boundCheckpoint(em, binding, bound.trainingUid));
  };
  return {
    async regimes() {
      const found = await checkpoint();
      return found && { month: found.last_month.slice(0, 7), probabilities: found.current };
    },
    async conditionalMean(factor, regime, shock) {
      const found = await checkpoint();
      return found && conditionalMeanOf(found, { factor, regime, shock });
    },
    modelFactors: async () => (await checkpoint())?.factors ?? [],
  };
}
