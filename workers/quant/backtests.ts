import type { Em } from '#lib/database/base.ts';
import { divideBacktest, isBacktestDivided } from '#lib/quant/backtests/divide-backtest.ts';
import { backtestsRun } from '#lib/quant/backtests/backtests.run.ts';
import { readBenchmark } from '#lib/quant/benchmarks/benchmark-data.query.ts';
import type { StrategyWithBenchmark } from '#lib/quant/benchmarks/benchmark-data.ts';
import { readStrategyData } from '#lib/quant/strategies/strategy-data.query.ts';
import { strategyQuestion } from '#lib/quant/strategies/strategy-question.ts';
import { recordTrials } from '#lib/quant/trials/trials.write.ts';
import { trialHash } from '#lib/quant/trials/trial.ts';
import { runner, type RunInput } from '../process/runner.ts';

export default runner(backtestsRun, {
  /** Reads the prices, actions and features at the pinned revisions. */
  load: async (em: Em, { input, datasetRevisions: revisions }: RunInput<typeof backtestsRun>) => {
    const { from, to, as_of: asOf, features, strategy, variants, benchmark } = input;
    const common = { from, to, asOf, revisions };
    const questions = [strategy, ...variants.map((each) => each.strategy)].map(strategyQuestion);
    const warmup = Math.max(...questions.map((question) => question.warmup));
    const data = await readStrategyData(em, { ...common, features, question: { ...questions[0]!, warmup } });
    const compared = await readBenchmark(em, benchmark, strategy, common);
    return { data, benchmark: compared } satisfies StrategyWithBenchmark;
  },
  /** Divides the variants of a large backtest. */
  divide: divideBacktest,
  isDivided: isBacktestDivided,
  compute: new URL('./backtests.compute.ts', import.meta.url),
  /** Adds the trials of the run to their family. */
  record: (em, { uid, input, output }) => {
    const strategies = [input.strategy, ...input.variants.map(({ strategy }) => strategy)];
    const sharpes = output.result.evidence.trials.sharpes;
    const trials = strategies.map((strategy, at) => ({
      hash: trialHash(strategy, input),
      sharpe: sharpes[at]!,
    }));
    return recordTrials(em, { family: input.family, run: uid, trials });
  },
});
