import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { enteredIn } from '#lib/quant/tournaments/entered.ts';
import { scoreOrigins } from '#lib/quant/tournaments/score-origins.ts';
import type { TournamentInput } from '#lib/quant/tournaments/tournament-input.schema.ts';
import { tournamentOutcome } from '#lib/quant/tournaments/tournament-outcome.ts';
import { samplesOf } from '#lib/quant/tournaments/tournament-parts.ts';
import type { TournamentData } from '#lib/quant/tournaments/tournament-series.ts';
import type { BenchContext, Row } from '../bench.ts';
import { interleave, ratioRow } from '../rounds.ts';
import { monthlyValue } from './monthly-value.ts';

/** R needs about half a second for the methods at one origin. */
const SHAPE = { full: { series: 2, origins: 20, rounds: 3 }, tiny: { series: 1, origins: 20, rounds: 1 } };
const MONTHS = 120;
const RATIO_MAX = 0.05;
const HOW = "R's package forecast is not there; on Debian: apt-get install -y r-cran-forecast";
/** The methods that R's package has too. */
const METHODS = [
  ...['naive', 'seasonal_naive', 'drift', 'ses', 'holt'],
  ...['damped_holt', 'theta', 'holt_winters_damped', 'ets'],
];

/**
 * Compares the processor time of a tournament on one thread, including losses, tests and ranks, with the processor time
 * of the same forecasts in R, without losses, tests and ranks. Without R, only the time of Assay is measured.
 */
export async function methodsRow(bench: string, { size, notify }: BenchContext): Promise<Row> {
  const { series, origins, rounds } = SHAPE[size];
  notify(`${METHODS.length} methods against R, ${rounds} rounds`);
  const rows = Array.from({ length: series }, (_, place) =>
    Array.from({ length: MONTHS }, (__, at) => monthlyValue(place, at)),
  );
  const hasR = spawnSync('Rscript', ['-e', 'library(forecast)'], { stdio: 'ignore' }).status === 0;
  const about = {
    bench,
    case: `${series} series x ${origins} origins x ${METHODS.length} methods on one thread, processor time`,
    unit: 'ms',
    note: hasR ? 'peer: R forecast; R forecasts without tests and ranks' : HOW,
  };
  if (!hasR) notify(HOW);
  const ours = async () => processorMs(() => tournament(rows, origins));
  await ours();
  if (!hasR) {
    const { subject } = await interleave(rounds, { subject: ours });
    return { ...ratioRow(about, { subject, peer: subject }, null), peer: null, ratio: null, spread: null };
  }
  const peer = async () => inR(rows, origins);
  return ratioRow(about, await interleave(rounds, { subject: ours, peer }), { max: RATIO_MAX });
}

function tournament(rows: readonly number[][], origins: number): void {
  const input: TournamentInput = {
    name: null,
    task: 'series',
    metrics: rows.map((_, at) => ({ metric: `economics.S${at}`, company_id: null })),
    dataset: null,
    frequency: null,
    as_of: '2026-01-01T00:00:00.000Z',
    entries: METHODS.map((name) => ({ name, kind: 'statistical', method: name })),
    baseline: 'auto',
    first: null,
    step: 1,
    most: origins,
    window: 'expanding',
    refit_every: 1,
    horizon: 1,
    horizons: 'all',
    loss: 'scaled',
    level: 0.9,
    resamples: 2_000,
    seed: 0,
  };
  const data: TournamentData = {
    series: rows.map((_, at) => ({
      metric: `economics.S${at}`,
      company: null,
      frequency: 'monthly',
      unit: null,
      currency: null,
      first: '2010-01-31',
      start: at * MONTHS,
      count: MONTHS,
      reason: null,
    })),
    values: Float64Array.from(rows.flat()),
    rows: null,
    predictions: {},
    checkpoints: {},
  };
  const { entries } = enteredIn(input, data);
  const control = { progress: () => {}, cancelled: () => false };
  const part = { round: 0, first: 0, count: samplesOf(input) };
  const outcome = tournamentOutcome(input, data, scoreOrigins(input, data, { part, entries, control }));
  if (!outcome.ok || outcome.output.result.disqualified.length > 0)
    throw new Error('an entry of the tournament failed');
}

function inR(rows: readonly number[][], origins: number): number {
  const { stdout, stderr, status } = spawnSync(
    'Rscript',
    ['--vanilla', fileURLToPath(new URL('methods.R', import.meta.url))],
    {
      input: `${[origins, ...rows.map((row) => row.join(','))].join('\n')}\n`,
      env: { ...process.env, OPENBLAS_NUM_THREADS: '1', OMP_NUM_THREADS: '1' },
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(`R has failed: ${stderr}`);
  return Number(stdout);
}

function processorMs(work: () => void): number {
  const from = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1_000;
}
