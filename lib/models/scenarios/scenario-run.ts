import type { Control, Part } from '#lib/core/run.ts';
import { canonicalHash, sha256 } from '#lib/core/seal.ts';
import type { Checkpoint } from '#lib/models/registry/checkpoint.schema.ts';
import { correlationMatrix } from '#lib/numerics/correlation.ts';
import { chiSquareTail } from '#lib/numerics/distributions/incomplete-gamma.ts';
import { normalDensity } from '#lib/numerics/normal-density.ts';
import { normalQuantile } from '#lib/numerics/normal-quantile.ts';
import type { Moments } from '#lib/numerics/scenario/conditional-normal.ts';
import { scenarioLaw, type SetFactor } from '#lib/numerics/scenario/scenario-law.ts';
import { runHashes } from './run-hashes.ts';
import { columnsOf, rowMeans } from './sample-columns.ts';
import { bytesOf, summary } from './sample-summary.ts';
import { momentsOf, regimeLaws, type RefusedShock, type RegimeLaws } from './regime-laws.ts';
import { engineDraw } from './scenario-draws.ts';
import type { ScenarioInput } from './scenarios.schema.ts';
import type { ScenarioResult } from './scenario-result.schema.ts';

const RECIPE = 'scenario/1 rng-philox4x32-10/1';
const SUPPORTED = 1e-4;
const CHUNK = 4096;

type Regime = Checkpoint['regimes'][number];
/** Samples `first` to `first + count - 1`. */
type SampleRange = Pick<Part, 'first' | 'count'>;

/**
 * The inputs of a scenario run other than the checkpoint: the training months if the engine needs them, and the number
 * of samples drawn at a time.
 */
export type ScenarioWork = {
  months?: Float64Array | null;
  control?: Pick<Control, 'progress'>;
  chunk?: number;
};

/**
 * Draws one-month scenarios and returns their statistics and hashes. The results depend neither on the worker nor on
 * the number of samples drawn at a time. If the parts of the run were drawn before, `drawn` contains all samples.
 * Refuses the same shocks as `regimeLaws`.
 */
export function scenarioRun(
  input: ScenarioInput,
  checkpoint: Checkpoint,
  { drawn, ...work }: ScenarioWork & { drawn?: Float64Array | undefined } = {},
): { ok: true; result: ScenarioResult; matrix: Float64Array } | RefusedShock {
  const found = regimeLaws(input, checkpoint);
  if (!found.ok) return found;
  const { factors } = checkpoint;
  const matrix =
    drawn ?? drawPart({ input, checkpoint, part: { first: 0, count: input.samples } }, found, work);
  if (matrix.length !== input.samples * factors.length)
    throw new Error(
      `expected ${input.samples} samples of ${factors.length} factors, but got ${matrix.length} numbers`,
    );
  const statistics = statisticsOf(input, { factors, matrix }, found);
  const hashes = { samples_hash: sha256(bytesOf(matrix)), statistics_hash: canonicalHash(statistics) };
  return { ok: true, result: { ...statistics, hashes: runHashes(input, hashes, RECIPE) }, matrix };
}

/**
 * Draws part of the samples of a request. Each sample is equal to the same sample of an undivided run. Refuses the same
 * shocks as `regimeLaws`.
 */
export function scenarioPart(
  input: ScenarioInput,
  checkpoint: Checkpoint,
  { part, ...work }: ScenarioWork & { part: SampleRange },
): { ok: true; matrix: Float64Array } | RefusedShock {
  const found = regimeLaws(input, checkpoint);
  return found.ok ? { ok: true, matrix: drawPart({ input, checkpoint, part }, found, work) } : found;
}

function drawPart(
  { input, checkpoint, part }: { input: ScenarioInput; checkpoint: Checkpoint; part: SampleRange },
  { used, laws }: RegimeLaws,
  { months = null, control = { progress: () => {} }, chunk = CHUNK }: ScenarioWork,
): Float64Array {
  const size = checkpoint.factors.length;
  const draw = engineDraw(input.engine, {
    checkpoint,
    probabilities: used.map(({ probability }) => probability),
    laws: laws.map((law) => law?.law ?? null),
    months,
  });
  const { seed, antithetic } = input;
  const matrix = new Float64Array(part.count * size);
  for (let done = 0; done < part.count; done += chunk) {
    const count = Math.min(chunk, part.count - done);
    matrix.set(draw({ seed, first: part.first + done, count, antithetic }), done * size);
    control.progress((0.5 * (done + count)) / part.count);
  }
  return matrix;
}

function statisticsOf(
  input: ScenarioInput,
  { factors, matrix }: { factors: readonly string[]; matrix: Float64Array },
  { used, set, laws }: RegimeLaws,
) {
  const size = factors.length;
  const columns = columnsOf(matrix, size);
  const possible = used.filter(({ probability }) => probability > 0);
  return {
    regime_probabilities: possible.map(({ regime, probability }) => ({ regime: regime.name, probability })),
    stress: set.map(({ place, value }) => ({ factor: factors[place]!, value })),
    plausibility:
      set.length === 0 ? [] : used.flatMap(({ regime }, at) => plausibility(regime, laws[at], set.length)),
    factors: factors.map((factor, place) => ({ factor, statistics: summary(columns[place]!) })),
    equal_weight: summary(rowMeans(matrix, size)),
    closed_form:
      input.engine === 'gaussian' && possible.length === 1
        ? closedForm(momentsOf(possible[0]!.regime), set)
        : null,
    correlation: correlationMatrix(columns),
  };
}

function plausibility(regime: Regime, law: ReturnType<typeof scenarioLaw> | undefined, shocks: number) {
  if (!law) return [];
  const tail = chiSquareTail(law.distanceSquared, shocks);
  return [
    {
      regime: regime.name,
      distance_squared: law.distanceSquared,
      tail_probability: tail,
      supported: tail >= SUPPORTED,
    },
  ];
}

function closedForm(moments: Moments, set: readonly SetFactor[]) {
  const size = moments.mean.length;
  const law = scenarioLaw(moments, set, null)!.law;
  const free = law.free.length;
  let mean = 0;
  for (const each of law.centre) mean += each / size;
  let variance = 0;
  for (let k = 0; k < free; k += 1) {
    let column = 0;
    for (let a = k; a < free; a += 1) column += law.lower.get(a, k) / size;
    variance += column * column;
  }
  const deviation = Math.sqrt(variance);
  const z = normalQuantile(0.99);
  return {
    mean,
    standard_deviation: deviation,
    value_at_risk_99: z * deviation - mean,
    expected_shortfall_99: (normalDensity(z) / 0.01) * deviation - mean,
  };
}
