import { sql } from 'kysely';
import { daysBetween, monthIndex } from '#lib/core/date.ts';
import type { Em } from '#lib/database/base.ts';
import { knownRows } from '#lib/data/as-of.query.ts';
import { priceBarTexts } from '#lib/data/price-bars.query.ts';
import { rateValues } from './strategy-cash.query.ts';
import type { StrategyAction, StrategyData } from './strategy-data.ts';
import { featureValues, type PinnedFeature } from './strategy-features.query.ts';
import { SYMBOLS_MAX } from './strategy-members.schema.ts';
import { firstDayOf, type StrategyQuestion } from './strategy-question.ts';
import { instrumentFacts, mainThemes, universeOf, type Pinned } from './strategy-universe.query.ts';

/** The largest number of symbols times sessions. */
export const CELLS_MAX = 20_000_000;
/** Maximum number of sessions per calendar day. */
const SESSIONS_PER_DAY = 5 / 7;

export type StrategyDataRequest = {
  question: StrategyQuestion;
  /** First and last day of decisions. */
  from: string;
  to: string;
  /** The as-of day: only data known by its end is read. */
  asOf: string;
  /** The revision of each dataset that may be read, by dataset id. */
  revisions: Readonly<Record<string, number>>;
  features: readonly PinnedFeature[];
  /** Symbols times sessions that the run has read before. They count towards the limit. Default: 0. */
  cellsBefore?: number;
};

/** Reads all data of a strategy. Equal requests always read equal data. */
export async function readStrategyData(em: Em, request: StrategyDataRequest): Promise<StrategyData> {
  const { question, from, to, asOf, revisions, features, cellsBefore = 0 } = request;
  const { frequency, universe, groups, cashSeries } = question;
  const pinned = { asOf, until: to, revisions };
  const { symbols, versions } = await universeOf(em, question, pinned);
  const first = firstDayOf(question, from);
  const isTooLarge =
    symbols.length > SYMBOLS_MAX || cellsBefore + cellsOf(symbols, question, { from, to }) > CELLS_MAX;
  const read = { from, to, symbols, versions, isTooLarge };
  const nothing = { prices: [], actions: [], instruments: [], themes: [], features: [], rates: [] };
  if (isTooLarge) return { ...read, ...nothing };
  const ofInstruments =
    universe.kind === 'sector' || universe.kind === 'constituents' ? universe.dataset : null;
  const ofTaxonomy = universe.kind === 'theme' ? universe.dataset : null;
  return {
    ...read,
    prices: await priceBarTexts(em, { symbols, frequency, from: first, until: to, asOf, revisions }),
    actions: await actionsOf(em, { symbols, from: first }, pinned),
    instruments: await instrumentFacts(em, { symbols, dataset: ofInstruments }, pinned),
    themes: groups.includes('theme') ? await mainThemes(em, { symbols, dataset: ofTaxonomy }, pinned) : [],
    features: await featureValues(em, features, { symbols, until: to, asOf }),
    rates: cashSeries === null ? [] : await rateValues(em, cashSeries, pinned),
  };
}

/** Returns the largest number of symbols times sessions that a strategy with these symbols reads. */
export function cellsOf(
  symbols: readonly string[],
  question: StrategyQuestion,
  { from, to }: { from: string; to: string },
): number {
  return symbols.length * sessionsBetween(firstDayOf(question, from), to, question.frequency);
}

function sessionsBetween(from: string, to: string, frequency: 'daily' | 'monthly'): number {
  if (frequency === 'monthly') return monthIndex(to.slice(0, 7)) - monthIndex(from.slice(0, 7)) + 1;
  return Math.ceil((daysBetween(from, to) + 1) * SESSIONS_PER_DAY);
}

/**
 * Returns the corporate actions of symbols, by day. The actions of a symbol come from one dataset; a dataset
 * of the workspace takes precedence.
 */
async function actionsOf(
  em: Em,
  { symbols, from }: { symbols: readonly string[]; from: string },
  { asOf, until, revisions }: Pinned,
): Promise<StrategyAction[]> {
  const known = knownRows({
    table: 'corporate_action',
    key: ['observed_on', 'type'],
    columns: ['amount', 'ratio'],
    where: sql`o.dataset_id = series.dataset_id and o.symbol = series.symbol and o.revision <= series.revision
      and o.observed_on between ${from}::date and ${until}::date`,
    asOf,
  });
  const { rows } = await sql<StrategyAction>`
    with readable as (
      select d.id, d.workspace_uid is null as is_platform, pinned.value::int as revision
      from jsonb_each_text(${JSON.stringify(revisions)}::jsonb) pinned
      join dataset d on d.id = pinned.key::int and d.kind = 'corporate_actions'
    ),
    series as (
      select distinct on (s.symbol) s.symbol, r.id as dataset_id, r.revision
      from unnest(${[...symbols]}::text[]) s (symbol)
      cross join readable r
      cross join lateral (
        select from corporate_action a where a.dataset_id = r.id and a.symbol = s.symbol
          and a.revision <= r.revision limit 1
      ) found
      order by s.symbol, r.is_platform, r.id
    )
    select series.symbol, a.observed_on::text as "exDate", a.type, a.amount::float8 as amount, a.ratio::float8 as ratio
    from series cross join lateral ${known} a
    order by a.observed_on, series.symbol collate "C", a.type collate "C"
  `.execute(em.getKysely());
  return rows;
}
