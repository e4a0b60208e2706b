import { sql } from 'kysely';
import { Problem } from '#lib/core/problem.ts';
import { currentRevisions } from '#lib/data/dataset.query.ts';
import type { Em } from '#lib/database/base.ts';
import { heldSymbols } from '../portfolios/event-text.query.ts';
import type { PortfolioGroup } from '../portfolios/portfolio-group.ts';
import { readGroup } from '../portfolios/portfolio-group.query.ts';
import {
  listPortfolios,
  portfoliosAsOf,
  requireEvents,
  requireGroup,
  type KnownPortfolio,
} from '../portfolios/portfolio.query.ts';
import { latestFactorRun } from '../theme-factors/factor-run.query.ts';
import { chosenBenchmark } from './chosen-benchmark.query.ts';
import { firstDayOf, riskMarket, rowsOf } from './risk-data.query.ts';
import type { BenchmarkPortfolio, RiskData } from './risk-data.ts';
import { RISK_LIMITS, RISK_RUN, SUMMARY_MAX } from './risk-limits.ts';
import type { RiskOptions } from './risk-request.schema.ts';

/**
 * Maximum number of symbols whose prices a request loads: the symbols of its positions, and symbols that were
 * sold after a split.
 */
const SYMBOLS_MAX = RISK_LIMITS.positions + 100;
/** Maximum number of prices that a request loads. */
const CELLS_MAX = SYMBOLS_MAX * (RISK_LIMITS.days + 1);

export type RiskAnswerQuestion = {
  /** Uid or key of the portfolio; undefined for one row for each portfolio. */
  portfolio: string | undefined;
  asOf: string;
  options: RiskOptions;
  /** The benchmark that the caller names; undefined for the benchmark of the portfolio. */
  benchmark: string | undefined;
};

/**
 * Reads all data from which a result of GET /investment/risk is computed. Throws a problem if the portfolio
 * does not exist, or if the request would read too many data.
 */
export async function riskAnswerData(em: Em, question: RiskAnswerQuestion): Promise<RiskData> {
  const { asOf, options } = question;
  const isOne = question.portfolio !== undefined;
  const { subjects, related } = await portfoliosOf(em, question.portfolio, asOf);
  const revisions = await currentRevisions(em);
  const { frequency } = options;
  const named = question.benchmark;
  const chosen = isOne
    ? await chosenBenchmark(em, subjects[0]!, { named, asOf, frequency, revisions, in: 'query' })
    : null;
  const { symbols: _, ...group } = await readGroup(em, related, asOf);
  const since = options.basis === 'realised' ? firstDayOf(asOf, options) : undefined;
  const symbols = await symbolsOf(em, group, { portfolios: subjects, since });
  requireSize(symbols.length, { rows: rowsOf(options), isOne });
  const compared = chosen?.portfolio ? await comparedOf(em, chosen.portfolio, { asOf, options }) : null;
  const market = await riskMarket(em, {
    asOf,
    options,
    symbols,
    held: [...new Set([...(since === undefined ? [] : symbols), ...(compared?.symbols ?? [])])],
    benchmarks: chosen?.symbol == null ? [] : [chosen.symbol],
    factorRun: options.include.includes('factors') ? ((await latestFactorRun(em, asOf)) ?? null) : null,
    revisions,
    priceCurrency: 'instrument',
  });
  return {
    asOf,
    options,
    limits: RISK_LIMITS,
    subjects: subjects.map((each) => ({ uid: each.uid, key: each.key, benchmark: chosen?.symbol ?? null })),
    benchmarkPortfolio: compared?.portfolio ?? null,
    group,
    ...market,
  };
}

/** Reads a portfolio that is the benchmark, and the symbols that it held or traded in the window. */
async function comparedOf(
  em: Em,
  { uid, key }: KnownPortfolio,
  { asOf, options }: Pick<RiskAnswerQuestion, 'asOf' | 'options'>,
): Promise<{ portfolio: BenchmarkPortfolio; symbols: string[] }> {
  const { portfolio, related } = await requireGroup(em, uid, asOf);
  const { symbols: _, ...group } = await readGroup(em, related, asOf);
  const symbols = await symbolsOf(em, group, { portfolios: [portfolio], since: firstDayOf(asOf, options) });
  requireSize(symbols.length, { rows: rowsOf(options), isOne: true });
  return { portfolio: { key, group }, symbols };
}

function symbolsOf(
  em: Em,
  { splits, asOf }: PortfolioGroup,
  { portfolios, since }: { portfolios: readonly KnownPortfolio[]; since: string | undefined },
): Promise<string[]> {
  const uids = portfolios.map(({ uid }) => uid);
  return heldSymbols(em, { portfolios: uids, asOf, splits: splits.map(({ symbol }) => symbol), since });
}

async function portfoliosOf(
  em: Em,
  name: string | undefined,
  asOf: string,
): Promise<{ subjects: KnownPortfolio[]; related: KnownPortfolio[] }> {
  if (name !== undefined) {
    const { portfolio, related } = await requireGroup(em, name, asOf);
    return { subjects: [portfolio], related };
  }
  const found = await listPortfolios(em, { after: undefined, limit: SUMMARY_MAX + 1 });
  if (found.length > SUMMARY_MAX) {
    const detail = `There are more than ${SUMMARY_MAX} portfolios. Name one in \`portfolio\`.`;
    throw new Problem('too_large', detail, { members: { portfolios_max: SUMMARY_MAX } });
  }
  await requireEvents(em, found);
  // The uids are in the order of the list of portfolios.
  const uids = found.map(({ uid }) => uid);
  const known = await portfoliosAsOf(em, asOf, sql`p.uid = any(${uids}::text[])`);
  const subjects = known.toSorted((one, other) => uids.indexOf(one.uid) - uids.indexOf(other.uid));
  return { subjects, related: subjects };
}

/** Throws a problem if a request would load more symbols or prices than one request may process. */
function requireSize(symbols: number, { rows, isOne }: { rows: number; isOne: boolean }): void {
  if (isOne ? symbols <= SYMBOLS_MAX : symbols * rows <= CELLS_MAX) return;
  const detail = isOne
    ? `The portfolio holds up to ${symbols} symbols. A request computes at most ${RISK_LIMITS.positions} positions. Use ${RISK_RUN}.`
    : `The portfolios hold ${symbols} symbols. Name one portfolio in \`portfolio\`, or use a shorter window.`;
  const members = isOne
    ? { positions: symbols, positions_max: RISK_LIMITS.positions, run: RISK_RUN }
    : { symbols, symbols_max: Math.floor(CELLS_MAX / rows) };
  throw new Problem('too_large', detail, { members });
}
