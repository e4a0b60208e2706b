import { utcDate } from '#lib/core/clock.ts';
import { invalid, type Fault } from '#lib/core/problem.ts';
import type { Em } from '#lib/database/base.ts';
import { newestPriceDate } from '#lib/data/price.query.ts';
import { pinPortfolio } from '#lib/investment/portfolios/pinned-portfolio.query.ts';
import { readCheckpoint } from '#lib/models/registry/checkpoint.query.ts';
import {
  DEGREES_OF_FREEDOM,
  empiricalEngines,
  studentEngines,
} from '#lib/models/scenarios/scenarios.schema.ts';
import { namedModel, namedVersion, regimeFaults } from '#lib/models/scenarios/served-model.query.ts';
import { pinBacktest } from './backtest-curve.query.ts';
import type { RequestedHistory } from './history-source.schema.ts';
import type { RequestedModel } from './model-source.schema.ts';
import { futureFault, historyFaults } from './simulation-faults.ts';
import { DEGREES } from './simulation-limits.ts';
import type { ResolvedSource } from './simulation-source.schema.ts';
import type { SimulationRequest } from './simulations.schema.ts';

/** A source with every default filled in, its assets, and the faults of the request. */
export type SourceInput = { source: ResolvedSource; assets: string[]; faults: Fault[] };

/** Resolves the source of a request. Throws the problems of a portfolio, a backtest or a model that cannot be used. */
export async function sourceInput(
  em: Em,
  { source }: Pick<SimulationRequest, 'source'>,
  now: Date,
): Promise<SourceInput> {
  switch (source.kind) {
    case 'parametric': {
      const { means, covariance, law = 'normal', degrees = DEGREES.default } = source;
      const assets = source.assets ?? means.map((_, at) => `asset_${at + 1}`);
      return {
        source: { kind: 'parametric', means, covariance, law, degrees: law === 'normal' ? null : degrees },
        assets,
        faults: [],
      };
    }
    case 'history':
      return historyInput(em, source, now);
    case 'model':
      return modelInput(em, source);
  }
}

async function historyInput(em: Em, requested: RequestedHistory, now: Date): Promise<SourceInput> {
  const { symbols, portfolio, backtest_uid: backtest, from = null } = requested;
  const { method = 'stationary', block = 'auto', basis = 'current_holdings' } = requested;
  const unclear = historyFaults(requested);
  if (unclear.length) throw invalid(unclear);
  const plan = { kind: 'history', from, method, block } as const;
  if (backtest !== undefined) {
    const { to, ...pinned } = await pinBacktest(em, backtest);
    return { source: { ...plan, to: requested.to ?? to, backtest: pinned }, assets: [backtest], faults: [] };
  }
  const to = requested.to ?? (await newestPriceDate(em)) ?? utcDate(now);
  if (portfolio === undefined) return { source: { ...plan, to }, assets: symbols!, faults: [] };
  const future = futureFault('/source/to', to, now);
  const { pinned } = await pinPortfolio(em, portfolio, to);
  return {
    source: { ...plan, to, portfolio: { ...pinned, basis } },
    assets: [pinned.portfolio],
    faults: future ? [future] : [],
  };
}

async function modelInput(
  em: Em,
  { key, version, regime = 'current', engine = 'gaussian', ...requested }: RequestedModel,
): Promise<SourceInput> {
  const model = await namedVersion(em, key, version);
  const checkpoint = await readCheckpoint(em, model.trainingUid);
  const faults = regimeFaults(regime, checkpoint).map((each) => ({ ...each, pointer: '/source/regime' }));
  const { id, revision, content_hash } = model.definition.dataset;
  return {
    source: {
      kind: 'model',
      ...namedModel(model),
      regime,
      ...(engine !== 'gaussian' && { engine }),
      ...(studentEngines.includes(engine) && {
        degrees_of_freedom: requested.degrees_of_freedom ?? DEGREES_OF_FREEDOM,
      }),
      ...(empiricalEngines.includes(engine) && { training_set: { id, revision, content_hash } }),
    },
    assets: [...checkpoint.factors],
    faults,
  };
}
