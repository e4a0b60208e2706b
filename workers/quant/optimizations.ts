import { divideSearch, isSearchDivided, searchRounds } from '#lib/quant/optimizations/search-division.ts';
import { optimizationsRun } from '#lib/quant/optimizations/optimizations.run.ts';
import { readBenchmark } from '#lib/quant/benchmarks/benchmark-data.query.ts';
import type { StrategyWithBenchmark } from '#lib/quant/benchmarks/benchmark-data.ts';
import { resolveStrategy } from '#lib/quant/strategies/resolve-strategy.ts';
import { readStrategyData } from '#lib/quant/strategies/strategy-data.query.ts';
import { strategyQuestion } from '#lib/quant/strategies/strategy-question.ts';
import { recordTrials } from '#lib/quant/trials/trials.write.ts';
import { runner } from '../process/runner.ts';

export default runner(optimizationsRun, {
  /**
   * Reads the prices, actions and features at the pinned revisions, for the trial that needs the longest
   * history.
   */
  load: async (em, { input, datasetRevisions: revisions }) => {
    const { strategy, baseline, features, from, to, as_of: asOf, warmup, benchmark } = input;
    const resolved = resolveStrategy(strategy, baseline);
    if (!resolved.ok) throw new Error('the strategy was checked when the run was requested');
    const question = { ...strategyQuestion(resolved.strategy), warmup };
    const common = { from, to, asOf, revisions };
    const data = await readStrategyData(em, { ...common, question, features });
    const compared = await readBenchmark(em, benchmark, resolved.strategy, common);
    return { data, benchmark: compared } satisfies StrategyWithBenchmark;
  },
  divide: divideSearch,
  rounds: searchRounds,
  isDivided: isSearchDivided,
  compute: new URL('./optimizations.compute.ts', import.meta.url),
  /** Adds the trials of the run to their family. */
  record: (em, { uid, input, attachments }) => {
    const { trial_hash: hashes, sharpe } = attachments().trials;
    const trials = hashes.flatMap((hash, at) => (hash === null ? [] : [{ hash, sharpe: sharpe[at]! }]));
    return recordTrials(em, { family: input.family, run: uid, trials });
  },
});
