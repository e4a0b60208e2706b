import { type Fault, invalid } from '#lib/core/problem.ts';
import type { Em } from '#lib/database/base.ts';
import { findPortfolio, type KnownPortfolio } from '../portfolios/portfolio.query.ts';
import { hasPrices } from './risk-data.query.ts';
import type { RiskOptions } from './risk-request.schema.ts';

/** The benchmark: a symbol with prices, another portfolio, or none. */
export type ChosenBenchmark =
  | { symbol: string; portfolio: null }
  | { symbol: null; portfolio: KnownPortfolio }
  | { symbol: null; portfolio: null };

const NONE: ChosenBenchmark = { symbol: null, portfolio: null };

export type BenchmarkQuestion = {
  /** The benchmark that the caller names; undefined for the benchmark of the portfolio. */
  named: string | undefined;
  asOf: string;
  frequency: RiskOptions['frequency'];
  revisions: Readonly<Record<string, number>>;
  /** The part of the request in which the caller named the benchmark. */
  in: Fault['in'];
};

/**
 * Returns the benchmark of a portfolio: the benchmark that the request names, or else the benchmark in the terms of the
 * portfolio. A symbol with prices takes precedence over a portfolio with the same key. Refuses the portfolio itself,
 * and a requested name that is neither a symbol nor a portfolio. If the name in the terms is neither, there is no
 * benchmark.
 */
export async function chosenBenchmark(
  em: Em,
  portfolio: KnownPortfolio,
  { named, in: place, ...market }: BenchmarkQuestion,
): Promise<ChosenBenchmark> {
  const name = named ?? portfolio.benchmark ?? null;
  if (name === null) return NONE;
  if (await hasPrices(em, name, market)) return { symbol: name, portfolio: null };
  const other = await findPortfolio(em, name, market.asOf);
  const refuse = (code: string, message: string) =>
    invalid([{ pointer: '/benchmark', in: place, code, message }]);
  if (other?.uid === portfolio.uid)
    throw refuse(
      'own_benchmark',
      `must not be the portfolio itself, ${portfolio.key}; name another benchmark`,
    );
  if (other) return { symbol: null, portfolio: other };
  if (named === undefined) return NONE;
  throw refuse('unknown', 'is neither a symbol with prices up to the as-of date nor a portfolio');
}
