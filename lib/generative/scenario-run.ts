import { canonicalHash, sha256 } from '#lib/core/seal.ts';
import type { Checkpoint } from '#lib/registry/checkpoint.schema.ts';
import { pearson } from '#lib/numerics/correlation.ts';
import { chiSquareTail } from '#lib/numerics/distributions/incomplete-gamma.ts';
import { normalDensity } from '#lib/numerics/normal-density.ts';
import { normalQuantile } from '#lib/numerics/normal-quantile.ts';
import type { Moments } from '#lib/numerics/scenario/conditional-normal.ts';
import { drawMixture } from '#lib/numerics/scenario/draw-mixture.ts';
import { scenarioLaw, type SetFactor } from '#lib/numerics/scenario/scenario-law.ts';
import { runHashes } from './run-hashes.ts';
import { bytesOf, summary } from './sample-summary.ts';
import { regimeProbabilities } from './regime-probabilities.ts';
import { SIGMAS_MOST, type ScenarioInput, type ScenarioResult } from './scenarios.schema.ts';

const RECIPE = 'scenario/1 rng-philox4x32-10/1';
const SUPPORTED = 1e-4;

type Regime = Checkpoint['regimes'][number];
type Refused = { ok: false; factor: string; detail: string };

/**
 * Draws scenarios of one month and tells their statistics and hashes. Refuses shocks that are farther than twelve
 * standard deviations from the mean of a regime, or that leave a singular covariance.
 */
export function scenarioRun(
  input: ScenarioInput,
  checkpoint: Checkpoint,
): { ok: true; result: ScenarioResult } | Refused {
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
  const { samples: count, seed, antithetic } = input;
  const matrix = drawMixture(
    laws.map((law, at) => ({ law: law?.law ?? null, probability: used[at]!.probability })),
    { seed, first: 0, count, antithetic },
  );
  const size = factors.length;
  const columns = factors.map((_, place) => matrix.filter((__, at) => at % size === place));
  const book = Float64Array.from({ length: count }, (_, sample) => {
    let total = 0;
    for (let place = 0; place < size; place += 1) total += matrix[sample * size + place]!;
    return total / size;
  });
  const isPlain =
    input.degrees_of_freedom === null && used.filter(({ probability }) => probability > 0).length === 1;
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
    correlation: columns.map((one, a) =>
      columns.map((other, b) => (a === b && pearson(one, one) !== null ? 1 : pearson(one, other))),
    ),
  };
  const found = { samples_hash: sha256(bytesOf(matrix)), statistics_hash: canonicalHash(statistics) };
  return { ok: true, result: { ...statistics, hashes: runHashes(input, found, RECIPE) } };
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
