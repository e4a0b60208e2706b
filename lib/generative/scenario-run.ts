import type { Control } from '#lib/core/job.ts';
import { canonicalHash, sha256 } from '#lib/core/seal.ts';
import type { Checkpoint } from '#lib/registry/checkpoint.schema.ts';
import { correlationMatrix } from '#lib/numerics/correlation.ts';
import { chiSquareTail } from '#lib/numerics/distributions/incomplete-gamma.ts';
import { normalDensity } from '#lib/numerics/normal-density.ts';
import { normalQuantile } from '#lib/numerics/normal-quantile.ts';
import type { Moments } from '#lib/numerics/scenario/conditional-normal.ts';
import type { ScenarioPart } from '#lib/numerics/scenario/draw-scenarios.ts';
import { scenarioLaw, type SetFactor } from '#lib/numerics/scenario/scenario-law.ts';
import { runHashes } from './run-hashes.ts';
import { columnOf, rowMeans } from './sample-columns.ts';
import { bytesOf, summary } from './sample-summary.ts';
import { regimeProbabilities } from './regime-probabilities.ts';
import { engineDraw } from './scenario-draws.ts';
import { SIGMAS_MOST, type ScenarioInput, type ScenarioResult } from './scenarios.schema.ts';

const RECIPE = 'scenario/1 rng-philox4x32-10/1';
const SUPPORTED = 1e-4;
const CHUNK = 4096;

type Regime = Checkpoint['regimes'][number];
type Refused = { ok: false; factor: string; detail: string };

/** Beside the checkpoint: the months of its training where the engine needs them, and how many samples are drawn at a time. */
export type ScenarioWork = {
  months?: Float64Array | null;
  control?: Pick<Control, 'progress'>;
  chunk?: number;
};

/**
 * Draws scenarios of one month and tells their statistics and hashes: the same however many are drawn at a time. Refuses shocks that are farther than twelve
 * standard deviations from the mean of a regime, or that leave a singular covariance.
 */
export function scenarioRun(
  input: ScenarioInput,
  checkpoint: Checkpoint,
  { months = null, control = { progress: () => {} }, chunk = CHUNK }: ScenarioWork = {},
): { ok: true; result: ScenarioResult; matrix: Float64Array } | Refused {
  const probabilities = regimeProbabilities(checkpoint, input.regime)!;
  const { factors } = checkpoint;
  const used = checkpoint.regimes.map((regime, at) => ({ regime, probability: probabilities[at]! }));
  const reference = used.find(({ probability }) => probability > 0);
  const set = shocksOf(input, factors, blendOf(used));
  for (const { place, value } of set) {
    for (const { regime, probability } of used) {
      const sigmas = Math.abs(value - regime.means[place]!) / Math.sqrt(regime.covariance[place]![place]!);
      if (probability > 0 && sigmas > SIGMAS_MOST)
        return {
          ok: false,
          factor: factors[place]!,
          detail: `is ${Math.round(sigmas * 10) / 10} standard deviations from its mean in the regime ${regime.name}; ${SIGMAS_MOST} are the most`,
        };
    }
  }
  const laws = used.map(({ regime, probability }) =>
    probability > 0 ? scenarioLaw(momentsOf(regime), set, input.degrees_of_freedom) : null,
  );
  if (laws.some((law, at) => law === null && used[at]!.probability > 0))
    return {
      ok: false,
      factor: factors[set[0]?.place ?? 0]!,
      detail: 'leaves a covariance that cannot be inverted',
    };
  const matrix = samplesOf(input, {
    draw: engineDraw(input.engine, {
      checkpoint,
      probabilities,
      laws: laws.map((law) => law?.law ?? null),
      months,
    }),
    chunk,
    control,
    size: factors.length,
  });
  const size = factors.length;
  const columns = factors.map((_, place) => columnOf(matrix, { place, size }));
  const book = rowMeans(matrix, size);
  const isPlain =
    input.engine === 'gaussian' && used.filter(({ probability }) => probability > 0).length === 1;
  const statistics = {
    regime_probabilities: used
      .filter(({ probability }) => probability > 0)
      .map(({ regime, probability }) => ({ regime: regime.name, probability })),
    stress: set.map(({ place, value }) => ({ factor: factors[place]!, value })),
    plausibility:
      set.length === 0 ? [] : used.flatMap(({ regime }, at) => plausibility(regime, laws[at], set.length)),
    factors: factors.map((factor, place) => ({ factor, statistics: summary(columns[place]!) })),
    equal_weight: summary(book),
    closed_form: isPlain ? closedForm(momentsOf(reference!.regime), set) : null,
    correlation: correlationMatrix(columns),
  };
  const found = { samples_hash: sha256(bytesOf(matrix)), statistics_hash: canonicalHash(statistics) };
  return { ok: true, result: { ...statistics, hashes: runHashes(input, found, RECIPE) }, matrix };
}

function samplesOf(
  { samples, seed, antithetic }: ScenarioInput,
  how: { draw: (part: ScenarioPart) => Float64Array; size: number } & Required<Omit<ScenarioWork, 'months'>>,
): Float64Array {
  const matrix = new Float64Array(samples * how.size);
  for (let first = 0; first < samples; first += how.chunk) {
    const count = Math.min(how.chunk, samples - first);
    matrix.set(how.draw({ seed, first, count, antithetic }), first * how.size);
    how.control.progress((0.5 * (first + count)) / samples);
  }
  return matrix;
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

function momentsOf({ means, covariance }: Regime): Moments {
  return { mean: Float64Array.from(means), covariance: Float64Array.from(covariance.flat()) };
}

/** Mean and standard deviation of each factor over the regimes, which shocks in sigmas and added ones are meant by. */
function blendOf(used: readonly { regime: Regime; probability: number }[]) {
  const size = used[0]!.regime.means.length;
  return Array.from({ length: size }, (_, place) => {
    let [mean, square] = [0, 0];
    for (const { regime, probability } of used) {
      const centre = regime.means[place]!;
      mean += probability * centre;
      square += probability * (regime.covariance[place]![place]! + centre * centre);
    }
    return { mean, deviation: Math.sqrt(Math.max(0, square - mean * mean)) };
  });
}

function shocksOf(
  { stress }: ScenarioInput,
  factors: readonly string[],
  blend: readonly { mean: number; deviation: number }[],
): SetFactor[] {
  return stress
    .map(({ factor, shock, unit, mode }) => {
      const place = factors.indexOf(factor);
      const { mean, deviation } = blend[place]!;
      const size =
        unit === 'sigma'
          ? shock * deviation
          : unit === 'bp'
            ? shock / 10_000
            : unit === 'percent'
              ? shock / 100
              : shock;
      return { place, value: mode === 'add' || unit === 'sigma' ? mean + size : size };
    })
    .sort((one, other) => one.place - other.place);
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
    for (let a = k; a < free; a += 1) column += law.lower[a * free + k]! / size;
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
