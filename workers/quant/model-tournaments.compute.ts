import { enteredIn } from '#lib/quant/tournaments/entered.ts';
import { scoreOrigins } from '#lib/quant/tournaments/score-origins.ts';
import { strategiesOutcome } from '#lib/quant/tournaments/strategies/strategies-outcome.ts';
import { simulateStrategies } from '#lib/quant/tournaments/strategies/strategy-curves.ts';
import { badData } from '#lib/quant/tournaments/tournament-refusals.ts';
import { tournamentOutcome } from '#lib/quant/tournaments/tournament-outcome.ts';
import { samplesOf } from '#lib/quant/tournaments/tournament-parts.ts';
import type { ComputationOf } from '../process/runner.ts';
import type runner from './model-tournaments.ts';

export const compute: ComputationOf<typeof runner> = (input, data, control, divided) => {
  if ('sets' in data) {
    const part = divided?.part ?? null;
    if (divided && !part) return strategiesOutcome(input, data, divided.drawn!);
    const numbers = simulateStrategies(input, data, { part, control });
    if (part) return { ok: true, part: new Uint8Array(numbers.buffer) };
    return strategiesOutcome(input, data, numbers);
  }
  const bad = badData(input, data);
  if (bad) return bad;
  const { entries } = enteredIn(input, data);
  const score = (first: number, count: number) =>
    scoreOrigins(input, data, { part: { round: 0, first, count }, entries, control });
  if (divided?.part) {
    const { first, count } = divided.part;
    return { ok: true, part: new Uint8Array(score(first, count).buffer) };
  }
  const numbers = divided ? divided.drawn : score(0, samplesOf(input));
  return tournamentOutcome(input, data, numbers);
};
