import { daysBefore } from '#lib/core/date.ts';
import type { Em } from '#lib/database/base.ts';
import { currentRevisions } from '#lib/data/dataset.query.ts';
import { newestPriceDate } from '#lib/data/price.query.ts';
import type { StrategyData } from './strategy-data.ts';
import { readStrategyData } from './strategy-data.query.ts';
import { unknownSeries } from './strategy-cash.query.ts';
import type { StrategyFault } from './strategy-fault.ts';
import { pinFeatures, type PinnedFeature } from './strategy-features.query.ts';
import { strategyQuestion, type StrategyQuestion } from './strategy-question.ts';
import type { ResolvedStrategy } from './strategy.schema.ts';

/** Number of calendar days before the requested day in which the session of the decision is searched. */
const SEARCHED_DAYS = { daily: 31, monthly: 62 } as const;

export type StrategyCheckData = { question: StrategyQuestion; features: PinnedFeature[]; data: StrategyData };

/**
 * Reads the data for one decision of a strategy, by default on the newest day with prices. Returns faults
 * instead if the strategy names features or series that do not exist.
 */
export async function strategyCheckData(
  em: Em,
  { strategy, date: given, asOf }: { strategy: ResolvedStrategy; date: string | undefined; asOf: string },
): Promise<{ ok: true; found: StrategyCheckData } | { ok: false; faults: StrategyFault[] }> {
  const question = strategyQuestion(strategy);
  const revisions = await currentRevisions(em);
  const { features, faults } = await pinFeatures(em, question.features);
  faults.push(
    ...(await unknownSeries(em, { series: question.cashSeries, pointer: '/cash/rate' }, revisions)),
  );
  if (faults.length > 0) return { ok: false, faults };
  const newest = (await newestPriceDate(em)) ?? asOf;
  const date = given ?? (newest < asOf ? newest : asOf);
  const from = daysBefore(date, SEARCHED_DAYS[question.frequency]);
  const data = await readStrategyData(em, { question, from, to: date, asOf, revisions, features });
  return { ok: true, found: { question, features, data } };
}
