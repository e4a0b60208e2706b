import { utcDate } from '#lib/core/clock.ts';
import { invalid } from '#lib/core/problem.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { currentRevisions } from '#lib/data/dataset.query.ts';
import type { Em } from '#lib/database/base.ts';
import { benchmarkInput } from '../benchmarks/benchmark-input.query.ts';
import type { ParameterValue } from '../strategies/parameter.schema.ts';
import { resolveStrategy } from '../strategies/resolve-strategy.ts';
import { familyOf } from '../strategies/strategy-family.ts';
import { faultsUnder } from '../strategies/strategy-fault.ts';
import { pinFeatures } from '../strategies/strategy-features.query.ts';
import { strategyQuestion } from '../strategies/strategy-question.ts';
import type { ResolvedStrategy, Strategy } from '../strategies/strategy.schema.ts';
import { trialHash } from '../trials/trial.ts';
import { countTrials } from '../trials/trial-count.query.ts';
import type { BacktestInput } from './backtest-input.schema.ts';
import type { BacktestRequestBody } from './backtest-request.schema.ts';
import { windowFaults } from './backtest-window.ts';

/** Resolves a request: checks it, fills in every default, and counts the sealed trials of the family. */
export async function backtestInput(em: Em, request: BacktestRequestBody, now: Date) {
  const asOf = request.as_of ?? utcDate(now);
  const windows = windowFaults({ from: request.from, to: request.to, asOf }, utcDate(now));
  if (windows.length) throw invalid(windows);
  const chosen = resolved(request.strategy, request.parameters);
  const variants = (request.variants ?? []).map((parameters, at) => {
    const each = resolved(request.strategy, { ...request.parameters, ...parameters }, `/variants/${at}`);
    return { parameters: each.parameters, strategy: each.strategy };
  });
  const others = variants.findIndex(({ strategy }) => !readsTheSame(strategy, chosen.strategy));
  if (others >= 0) {
    const message = 'must read the same universe and features as the strategy';
    throw invalid([{ pointer: `/variants/${others}`, in: 'body', code: 'data_differ', message }]);
  }
  const { features, faults } = await pinFeatures(em, strategyQuestion(chosen.strategy).features);
  if (faults.length) throw invalid(faultsUnder('/strategy', faults));
  const revisions = await currentRevisions(em);
  const benchmark = await benchmarkInput(em, request.benchmark, { strategy: chosen.strategy, revisions });
  const family = familyOf(chosen.strategy, chosen.replaced);
  const own = [chosen, ...variants].map(({ strategy }) => trialHash(strategy, request));
  const input: BacktestInput = {
    family,
    strategy: chosen.strategy,
    parameters: chosen.parameters,
    variants,
    features,
    from: request.from,
    to: request.to,
    as_of: asOf,
    benchmark,
    periods_per_year: request.periods_per_year ?? (chosen.strategy.frequency === 'monthly' ? 12 : 252),
    capacity: request.capacity ?? true,
    trials: { declared: request.trials_declared ?? 0, ...(await countTrials(em, family, own)) },
    seed: request.seed ?? 0,
  };
  return { input, datasetRevisions: revisions };
}

function resolved(
  strategy: Strategy,
  parameters: Record<string, ParameterValue> | undefined,
  variant?: string,
) {
  const found = resolveStrategy(strategy, parameters);
  if (found.ok) return found;
  throw invalid(faultsUnder(variant ?? '/strategy', found.faults, variant));
}

/** Whether two strategies read the same data, apart from the length of the history. */
function readsTheSame(one: ResolvedStrategy, other: ResolvedStrategy): boolean {
  const { warmup: _, ...first } = strategyQuestion(one);
  const { warmup: __, ...second } = strategyQuestion(other);
  return canonicalHash(first) === canonicalHash(second);
}
