import { Matrix } from 'ml-matrix';
import { scenarioLaw, type SetFactor } from '#lib/numerics/scenario/scenario-law.ts';
import type { Moments } from '#lib/numerics/scenario/conditional-normal.ts';
import type { Checkpoint } from '#lib/models/registry/checkpoint.schema.ts';
import { regimeProbabilities } from './regime-probabilities.ts';
import { SIGMAS_MAX, type ScenarioInput } from './scenarios.schema.ts';

type Regime = Checkpoint['regimes'][number];
type Used = { regime: Regime; probability: number };
/** The factor whose shock is refused, and the reason. */
export type RefusedShock = { ok: false; factor: string; detail: string };

/**
 * The distribution of the scenarios: the regimes with their probabilities, the shocks, and the distribution of returns
 * in each regime.
 */
export type RegimeLaws = {
  ok: true;
  used: Used[];
  set: SetFactor[];
  /** The distribution in each regime; null for a regime with probability 0. */
  laws: (ReturnType<typeof scenarioLaw> | null)[];
};

/**
 * Returns the distributions of a request. Refuses shocks that are more than twelve standard deviations from the mean of
 * a regime, or that lead to a singular covariance.
 */
export function regimeLaws(input: ScenarioInput, checkpoint: Checkpoint): RegimeLaws | RefusedShock {
  const probabilities = regimeProbabilities(checkpoint, input.regime)!;
  const { factors } = checkpoint;
  const used = checkpoint.regimes.map((regime, at) => ({ regime, probability: probabilities[at]! }));
  const set = shocksOf(input, factors, blendOf(used));
  for (const { place, value } of set) {
    for (const { regime, probability } of used) {
      const sigmas = Math.abs(value - regime.means[place]!) / Math.sqrt(regime.covariance[place]![place]!);
      if (probability > 0 && sigmas > SIGMAS_MAX)
        return {
          ok: false,
          factor: factors[place]!,
          detail: `is ${Math.round(sigmas * 10) / 10} standard deviations from its mean in the regime ${regime.name}; the maximum is ${SIGMAS_MAX}`,
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
      detail: 'leaves a covariance of the other factors that cannot be inverted',
    };
  return { ok: true, used, set, laws };
}

export function momentsOf({ means, covariance }: Regime): Moments {
  return { mean: Float64Array.from(means), covariance: new Matrix(covariance) };
}

/**
 * Returns the mean and standard deviation of each factor over all regimes. Shocks in standard deviations and additive
 * shocks are relative to this mean and standard deviation.
 */
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
