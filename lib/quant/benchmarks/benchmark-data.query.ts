import { sql } from 'kysely';
import { knownRows } from '#lib/data/as-of.query.ts';
import type { Em } from '#lib/database/base.ts';
import { servingSeries } from '../strategies/strategy-cash.query.ts';
import { readStrategyData, type StrategyDataRequest } from '../strategies/strategy-data.query.ts';
import { strategyQuestion } from '../strategies/strategy-question.ts';
import type { Pinned } from '../strategies/strategy-universe.query.ts';
import type { ResolvedStrategy } from '../strategies/strategy.schema.ts';
import type { BenchmarkData, LevelsText } from './benchmark-data.ts';
import { benchmarkStrategy } from './benchmark-strategy.ts';
import type { ResolvedBenchmark } from './benchmark.schema.ts';

/** Reads the data of a benchmark, at the revisions and the as-of day of the run. Null without a benchmark. */
export async function readBenchmark(
  em: Em,
  benchmark: ResolvedBenchmark,
  strategy: ResolvedStrategy,
  common: Pick<StrategyDataRequest, 'from' | 'to' | 'asOf' | 'revisions'>,
): Promise<BenchmarkData | null> {
  if (benchmark === null) return null;
  if ('series' in benchmark) {
    const series = await knownLevels(em, benchmark.series, { ...common, until: common.to });
    return { kind: 'series', series };
  }
  const question = strategyQuestion(benchmarkStrategy(benchmark, strategy));
  const features = 'strategy' in benchmark ? benchmark.features : [];
  return { kind: 'simulated', data: await readStrategyData(em, { ...common, features, question }) };
}

/** Returns the levels of a series. Each level is the newest value known by the end of the day `asOf`. */
async function knownLevels(em: Em, series: string, { asOf, until, revisions }: Pinned): Promise<LevelsText> {
  const known = knownRows({
    table: 'economic_observation',
    key: ['observed_on'],
    columns: ['value', 'known_at_basis'],
    where: sql`o.dataset_id = s.id and o.series = ${series} and o.revision <= s.revision
      and o.observed_on <= ${until}::date`,
    asOf,
  });
  const { rows } = await sql<LevelsText>`
    ${servingSeries(series, revisions)}
    select coalesce(string_agg(concat_ws(' ', k.observed_on, k.value), ',' order by k.observed_on), '') as levels,
      count(*)::int as observed,
      count(*) filter (where k.known_at_basis = 'assumed')::int as assumed
    from serving s cross join lateral ${known} k
  `.execute(em.getKysely());
  return rows[0]!;
}
