import { canonicalHash } from '#lib/core/seal.ts';
import type { PinnedFeature } from '../../strategies/strategy-features.query.ts';
import { strategyQuestion } from '../../strategies/strategy-question.ts';
import type { ResolvedStrategy } from '../../strategies/strategy.schema.ts';

/** Returns a text that is equal for strategies that read the same data, apart from the length of the history. */
export function dataKey(strategy: ResolvedStrategy, features: readonly PinnedFeature[]): string {
  const { warmup: _, ...question } = strategyQuestion(strategy);
  return canonicalHash({ question, features });
}
