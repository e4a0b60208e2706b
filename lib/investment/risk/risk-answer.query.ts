import { Problem } from '#lib/core/problem.ts';
import { currentRevisions } from '#lib/data/dataset.query.ts';
import type { Em } from '#lib/database/base.ts';
import { countEvents, EVENTS_READ_MAX, heldSymbols } from '../portfolios/event-text.query.ts';
import { readGroup } from '../portfolios/portfolio-group.query.ts';
import type { Portfolio } from '../portfolios/portfolio.entity.ts';
import { findPortfolio, listPortfolios, relatedPortfolios } from '../portfolios/portfolio.query.ts';
import { latestFactorRun } from '../theme-factors/factor-run.query.ts';
import { riskMarket, rowsOf } from './risk-data.query.ts';
import type { RiskData } from './risk-data.ts';
import { RISK_LIMITS, RISK_RUN, SUMMARY_MAX } from './risk-limits.ts';
import type { RiskOptions } from './risk-request.schema.ts';

/** Symbols of positions that a request loads, at most: those of its positions, and some that were sold after a split. */
const SYMBOLS_MAX = RISK_LIMITS.positions + 100;
/** Prices that a request loads, at most. */
const CELLS_MAX = SYMBOLS_MAX * (RISK_LIMITS.days + 1);

export type RiskAnswerQuestion = {
  /** Uid or key; undefined for a row of each portfolio. */
  portfolio: string | undefined;
  asOf: string;
  options: RiskOptions;
  /** The benchmark that the caller names; undefined for that of the portfolio. */
  benchmark: string | undefined;
};

/**
 * Reads all that an answer of GET /investment/risk is computed from. Throws a problem if the portfolio does not exist or
 * if too much would be read.
 */
export async function riskAnswerData(em: Em, question: RiskAnswerQuestion): Promise<RiskData> {
  const { asOf, options, benchmark } = question;
  const subjects = await subjectsOf(em, question.portfolio);
  const related = question.portfolio === undefined ? subjects : await relatedPortfolios(em, subjects[0]!);
  const uids = related.map(({ uid }) => uid);
  if ((await countEvents(em, uids, EVENTS_READ_MAX)) > EVENTS_READ_MAX)
    throw new Problem('too_large', `The portfolios have more than ${EVENTS_READ_MAX} events together.`);
  const { symbols: _, ...group } = await readGroup(em, related, asOf);
  const splits = group.splits.map(({ symbol }) => symbol);
  const symbols = await heldSymbols(em, { portfolios: subjects.map(({ uid }) => uid), asOf, splits });
  requireSize(symbols.length, { rows: rowsOf(options), isOne: question.portfolio !== undefined });
  const benchmarkOf = (portfolio: Portfolio) =>
    question.portfolio === undefined ? null : (benchmark ?? portfolio.benchmark ?? null);
  const wanted = subjects.flatMap((each) => benchmarkOf(each) ?? []);
  const market = await riskMarket(em, {
    asOf,
    options,
    symbols,
    benchmarks: wanted,
    factorRun: options.include.includes('factors') ? ((await latestFactorRun(em, asOf)) ?? null) : null,
    revisions: await currentRevisions(em),
  });
  return {
    asOf,
    options,
    limits: RISK_LIMITS,
    subjects: subjects.map((each) => ({ uid: each.uid, key: each.key, benchmark: benchmarkOf(each) })),
    group,
    ...market,
  };
}

async function subjectsOf(em: Em, name: string | undefined): Promise<Portfolio[]> {
  if (name !== undefined) {
    const portfolio = await findPortfolio(em, name);
    if (!portfolio) throw new Problem('not_found', 'There is no such portfolio.');
    return [portfolio];
  }
  const found = await listPortfolios(em, { after: undefined, limit: SUMMARY_MAX + 1 });
  if (found.length > SUMMARY_MAX) {
    const detail = `There are more than ${SUMMARY_MAX} portfolios. Name one in \`portfolio\`.`;
    throw new Problem('too_large', detail, { members: { portfolios_max: SUMMARY_MAX } });
  }
  return found;
}

/** Refuses to load more prices than a request may compute. */
function requireSize(symbols: number, { rows, isOne }: { rows: number; isOne: boolean }): void {
  if (isOne ? symbols <= SYMBOLS_MAX : symbols * rows <= CELLS_MAX) return;
  const detail = isOne
    ? `The portfolio may hold ${symbols} symbols. A request computes at most ${RISK_LIMITS.positions} positions. Use ${RISK_RUN}.`
    : `The portfolios hold ${symbols} symbols. Name one portfolio in \`portfolio\`, or use a shorter window.`;
  const members = isOne
    ? { positions: symbols, positions_max: RISK_LIMITS.positions, run: RISK_RUN }
    : { symbols, symbols_max: Math.floor(CELLS_MAX / rows) };
  throw new Problem('too_large', detail, { members });
}
