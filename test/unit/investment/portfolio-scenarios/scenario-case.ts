import { pathRun } from '#lib/models/scenarios/path-run.ts';
import { scenarioRun } from '#lib/models/scenarios/scenario-run.ts';
import type {
  PortfolioScenarioInput,
  ScenarioHolding,
} from '#lib/investment/portfolio-scenarios/scenario-input.ts';
import {
  type PortfolioScenarioRequestBody,
  scenarioOptions,
} from '#lib/investment/portfolio-scenarios/scenario-request.schema.ts';
import { fillNormals } from '#lib/numerics/normal-stream.ts';
import { CHECKPOINT, pathInput, scenarioInput } from '../../models/checkpoint.ts';

const UID = 'scn_01K8XQ5W3ZJ6T9R2M4N7P0QABC';
export const MONTHS = 60;

const draws = new Float64Array(3 * MONTHS);
fillNormals(draws, { seed: 5, firstSample: 0, dimensions: 3 });
const column = (place: number, scale: number) =>
  Float64Array.from({ length: MONTHS }, (_, t) => scale * draws[3 * t + place]!);

/** Monthly returns of the two factors A and B. */
export const factorReturns = [column(0, 0.04), column(1, 0.05)];
/** Monthly noise that is independent of both factors. */
export const noise = column(2, 0.03);

/** Computes monthly returns: 0.001 + a times factor A + b times factor B + `specific` times the noise. */
export function followerOf(a: number, b: number, specific = 0): Float64Array {
  return noise.map(
    (each, t) => 0.001 + a * factorReturns[0]![t]! + b * factorReturns[1]![t]! + specific * each,
  );
}

let instruments = 0;
export function holding(symbol: string, given: Partial<ScenarioHolding> = {}): ScenarioHolding {
  instruments += 1;
  return {
    symbol,
    currency: 'USD',
    instrument: instruments,
    valueMinor: 1_000_000n,
    otherCurrency: null,
    returns: null,
    group: null,
    ...given,
  };
}

type Request = Omit<PortfolioScenarioRequestBody, 'scenario_run'>;

/** Returns the input for a portfolio with 2,000 one-month scenarios of two factors. */
export function scenarioCase(
  request: Request,
  given: Partial<PortfolioScenarioInput> = {},
): PortfolioScenarioInput {
  const found = scenarioRun(scenarioInput({ samples: 2_000, regime: 'ergodic' }), CHECKPOINT);
  if (!found.ok) throw new Error(found.detail);
  return inputOf(request, { matrix: found.matrix, hashes: found.result.hashes, horizon: null }, given);
}

/** Returns the input for a portfolio with 400 paths of two factors over six months. */
export function pathCase(
  request: Request,
  given: Partial<PortfolioScenarioInput> = {},
): PortfolioScenarioInput {
  const { matrix, result } = pathRun(pathInput({ paths: 400, horizon: 6, regime: 'ergodic' }), CHECKPOINT);
  return inputOf(request, { matrix, hashes: result.hashes, horizon: 6 }, given);
}

function inputOf(
  request: Request,
  {
    matrix,
    hashes,
    horizon,
  }: { matrix: Float64Array; hashes: { samples_hash: string; run_hash: string }; horizon: number | null },
  given: Partial<PortfolioScenarioInput>,
): PortfolioScenarioInput {
  return {
    portfolio: 'prt_01K8XQ5W3ZJ6T9R2M4N7P0QABC',
    asOf: '2012-07-15',
    run: {
      uid: UID,
      run_hash: hashes.run_hash,
      samples_hash: hashes.samples_hash,
      seed: 42,
      factors: CHECKPOINT.factors,
      horizon,
    },
    matrix,
    factorReturns,
    holdings: [holding('A'), holding('KO', { returns: followerOf(0.5, 0.3, 1) })],
    cash: [],
    options: scenarioOptions({ scenario_run: UID, ...request }),
    ...given,
  };
}
