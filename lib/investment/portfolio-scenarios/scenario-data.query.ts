import {
  firstDayOfMonth,
  lastCompletedMonth,
  lastDayOfMonth,
  monthIndex,
  monthsBefore,
} from '#lib/core/date.ts';
import { valuesByDay } from '#lib/data/numeric-values.query.ts';
import { priceSeriesTexts } from '#lib/data/price-series.query.ts';
import type { Em } from '#lib/database/base.ts';
import { LqmVersion } from '#lib/models/registry/lqm.entity.ts';
import { lastCloses } from '../portfolios/close.query.ts';
import { readPinned } from '../portfolios/pinned-portfolio.query.ts';
import type { FoundConsumedRun } from './consumed-run.query.ts';
import { groupsOf, pinnedInstruments } from './holding-facts.query.ts';
import { type PortfolioScenarioSealedInput, sealedOptions } from './portfolio-scenarios.schema.ts';
import type { ScenarioData } from './scenario-data.ts';
import { SYMBOLS_MAX, WINDOW } from './scenario-limits.ts';

/**
 * Reads all data from which the scenarios of a portfolio are computed, except the samples. If the portfolio
 * has more than `SYMBOLS_MAX` symbols, no market data are read, because the portfolio is refused.
 */
export async function scenarioData(
  em: Em,
  input: PortfolioScenarioSealedInput,
  { found, revisions }: { found: FoundConsumedRun; revisions: Readonly<Record<string, number>> },
): Promise<{ data: ScenarioData; symbols: number }> {
  const { as_of: asOf } = input;
  const { group, symbols: held } = await readPinned(em, input, { asOf, revisions });
  const symbols = held.length > SYMBOLS_MAX ? [] : held;
  const options = sealedOptions(input);
  const last = monthsBefore(lastCompletedMonth(asOf), 0);
  const months = Math.min(WINDOW.max, monthIndex(last));
  const { factors } = found;
  const horizon = 'paths' in found.input ? found.input.horizon : null;
  return {
    symbols: held.length,
    data: {
      portfolio: { uid: input.portfolio_uid, key: input.portfolio },
      asOf,
      options,
      run: {
        uid: input.scenario_run,
        run_hash: input.consumed.run_hash,
        samples_hash: input.consumed.samples_hash,
        seed: found.input.seed,
        factors,
        horizon,
      },
      group,
      closes: await lastCloses(em, { symbols, asOf, revisions, priceCurrency: input.price_currency }),
      prices: await priceSeriesTexts(em, {
        symbols,
        member: 'return',
        frequency: 'monthly',
        from: firstDayOfMonth(monthsBefore(last, months)),
        until: lastDayOfMonth(last),
        asOf,
        revisions,
      }),
      factorMonths: await factorMonths(em, input.consumed.version_uid, factors),
      instruments: await pinnedInstruments(em, { symbols, revisions }),
      groups: options.groups === null ? {} : await groupsOf(em, options.groups, { symbols, asOf, revisions }),
    },
  };
}

/**
 * Reads the months of the dataset that a model version is defined on. The dataset and the revision of a
 * version never change.
 */
async function factorMonths(em: Em, uid: string, factors: readonly string[]) {
  const { definition } = await em.findOneOrFail(LqmVersion, { uid });
  const { id, revision } = definition.dataset;
  return valuesByDay(em, { id, revision }, factors);
}
