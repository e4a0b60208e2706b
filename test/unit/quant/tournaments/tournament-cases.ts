import type { Part } from '#lib/core/run.ts';
import { enteredIn } from '#lib/quant/tournaments/entered.ts';
import { scoreOrigins } from '#lib/quant/tournaments/score-origins.ts';
import type { ResolvedEntry, TournamentInput } from '#lib/quant/tournaments/tournament-input.schema.ts';
import { tournamentOutcome } from '#lib/quant/tournaments/tournament-outcome.ts';
import { samplesOf } from '#lib/quant/tournaments/tournament-parts.ts';
import { badData } from '#lib/quant/tournaments/tournament-refusals.ts';
import type { SeriesFacts, TournamentData } from '#lib/quant/tournaments/tournament-series.ts';

export const idle = { progress: () => {}, cancelled: () => false };

export const method = (name: string): ResolvedEntry => ({ name, kind: 'statistical', method: name });

/** A tournament of methods on monthly series, with some members changed. */
export function inputOf(changed: Partial<TournamentInput> = {}): TournamentInput {
  return {
    name: null,
    task: 'series',
    metrics: [{ metric: 'economics.A', company_id: null }],
    dataset: null,
    frequency: null,
    as_of: '2026-01-01T00:00:00.000Z',
    entries: [method('naive'), method('theta')],
    baseline: 'auto',
    first: null,
    step: 1,
    most: 40,
    window: 'expanding',
    refit_every: 1,
    horizon: 1,
    horizons: 'all',
    loss: 'absolute',
    level: 0.9,
    resamples: 200,
    seed: 0,
    ...changed,
  };
}

/** Monthly series of some values. */
export function dataOf(...rows: readonly (readonly number[])[]): TournamentData {
  let start = 0;
  const series = rows.map((values, at): SeriesFacts => {
    const facts: SeriesFacts = {
      metric: `economics.${String.fromCodePoint(65 + at)}`,
      company: null,
      frequency: 'monthly',
      unit: null,
      currency: null,
      first: '2010-01-31',
      start,
      count: values.length,
      reason: null,
    };
    start += values.length;
    return facts;
  });
  return { series, values: Float64Array.from(rows.flat()), rows: null, predictions: {}, checkpoints: {} };
}

/** Values with a trend, a season and a disturbance that repeats. */
export const seasonal = (months: number, place = 0) =>
  Array.from(
    { length: months },
    (_, month) =>
      100 + month + 20 * Math.sin((2 * Math.PI * month) / 12) + ((month * (37 + 12 * place)) % 23) / 4,
  );

/** Runs a tournament in parts of `size` samples. */
export function runTournament(input: TournamentInput, data: TournamentData, size = samplesOf(input)) {
  const bad = badData(input, data);
  if (bad) return bad;
  const { entries } = enteredIn(input, data);
  const numbers: number[] = [];
  for (let first = 0; first < samplesOf(input); first += size) {
    const part: Part = { round: 0, first, count: Math.min(size, samplesOf(input) - first) };
    numbers.push(...scoreOrigins(input, data, { part, entries, control: idle }));
  }
  return tournamentOutcome(input, data, Float64Array.from(numbers));
}

/** The result of a tournament that must not be refused. */
export function resultOf(...of: Parameters<typeof runTournament>) {
  const outcome = runTournament(...of);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.refusal));
  return { ...outcome.output.result, losses: outcome.attachments.losses };
}
