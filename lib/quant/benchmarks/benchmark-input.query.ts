import { invalid, type Fault } from '#lib/core/problem.ts';
import type { Em } from '#lib/database/base.ts';
import { resolveStrategy } from '../strategies/resolve-strategy.ts';
import { unknownSeries } from '../strategies/strategy-cash.query.ts';
import { faultsUnder } from '../strategies/strategy-fault.ts';
import { pinFeatures } from '../strategies/strategy-features.query.ts';
import { strategyQuestion } from '../strategies/strategy-question.ts';
import type { ResolvedStrategy } from '../strategies/strategy.schema.ts';
import type { Benchmark, ResolvedBenchmark } from './benchmark.schema.ts';

const AT = '/benchmark/strategy';

/**
 * Resolves the benchmark of a strategy: fills in every default, and pins the features of a strategy. Refuses a series
 * without values. Refuses a strategy with faults, with another frequency or with another currency.
 */
export async function benchmarkInput(
  em: Em,
  requested: Benchmark | undefined,
  { strategy, revisions }: { strategy: ResolvedStrategy; revisions: Readonly<Record<string, number>> },
): Promise<ResolvedBenchmark> {
  if (!requested) return null;
  if ('series' in requested) {
    const unknown = await unknownSeries(em, { series: requested.series, pointer: '/series' }, revisions);
    if (unknown.length > 0) throw invalid(faultsUnder('/benchmark', unknown));
  }
  if (!('strategy' in requested)) return requested;
  const chosen = resolveStrategy(requested.strategy, requested.parameters);
  if (!chosen.ok) throw invalid(faultsUnder(AT, chosen.faults, '/benchmark/parameters'));
  const other = differences(chosen.strategy, strategy);
  if (other.length > 0) throw invalid(other);
  const { features, faults } = await pinFeatures(em, strategyQuestion(chosen.strategy).features);
  if (faults.length > 0) throw invalid(faultsUnder(AT, faults));
  return { strategy: chosen.strategy, parameters: chosen.parameters, features };
}

function differences(benchmark: ResolvedStrategy, strategy: ResolvedStrategy): Fault[] {
  const faults: Fault[] = [];
  const mustBe = (member: string, code: string, [value, wanted]: [string, string]) => {
    if (value !== wanted)
      faults.push({ pointer: `${AT}${member}`, in: 'body', code, message: `must be ${wanted}` });
  };
  mustBe('/frequency', 'frequency_differs', [benchmark.frequency, strategy.frequency]);
  mustBe('/cash/currency', 'currency_differs', [benchmark.cash.currency, strategy.cash.currency]);
  return faults;
}
