import type { Em } from '#lib/database/base.ts';
import { cellsOf, readStrategyData } from '../../strategies/strategy-data.query.ts';
import { strategyQuestion } from '../../strategies/strategy-question.ts';
import type { TournamentInput } from '../tournament-input.schema.ts';
import { enteredStrategies } from './equal-weight.ts';
import { dataKey } from './strategy-data-key.ts';
import type { StrategiesData } from './strategies-data.ts';

/**
 * Reads the data of all strategies at the pinned revisions. Entries that read the same data share a set. The limit of a
 * backtest applies to all sets together. Prices of a set that would exceed this limit are not read, so the entries of
 * the set are disqualified.
 */
export async function strategiesData(
  em: Em,
  input: TournamentInput,
  revisions: Readonly<Record<string, number>>,
): Promise<StrategiesData> {
  const { from, to, as_of: asOf } = input.strategies!;
  const { entries } = enteredStrategies(input);
  const keys = entries.map(({ strategy }) => dataKey(strategy.rules, strategy.features));
  const distinct = [...new Set(keys)];
  const sets: StrategiesData['sets'] = [];
  let cells = 0;
  for (const key of distinct) {
    const mine = entries.filter((_, at) => keys[at] === key).map(({ strategy }) => strategy);
    const questions = mine
      .flatMap(({ rules, variants }) => [rules, ...variants.map((each) => each.rules)])
      .map(strategyQuestion);
    const warmup = Math.max(...questions.map((question) => question.warmup));
    const question = { ...questions[0]!, warmup };
    const { features } = mine[0]!;
    const days = { from, to };
    const data = await readStrategyData(em, {
      question,
      ...days,
      asOf,
      revisions,
      features,
      cellsBefore: cells,
    });
    if (!data.isTooLarge) cells += cellsOf(data.symbols, question, days);
    sets.push(data);
  }
  return { sets, setOf: keys.map((key) => distinct.indexOf(key)) };
}
