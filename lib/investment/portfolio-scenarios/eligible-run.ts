/** The facts of a run that determine whether its samples can be read. */
export type RunFacts = { kind: string; state: string; workspace: string; environment: string };

/**
 * Kinds of runs whose samples can be applied to a portfolio. The value states whether a sample is one month
 * or a path of months.
 */
const kinds: Readonly<Record<string, 'months' | 'paths'>> = {
  'generative.scenarios': 'months',
  'generative.model-scenarios': 'months',
  'generative.paths': 'paths',
};

export type Eligibility =
  | { ok: true; samples: 'months' | 'paths' }
  | { ok: false; code: 'not_found' }
  | { ok: false; code: 'scenario_run_ineligible'; reason: 'kind' | 'environment' | 'state'; detail: string };

/**
 * Decides whether the samples of a run can be applied to a portfolio. The run must be a succeeded scenario or
 * path run of the same workspace and environment. A run on a model version that was superseded later is
 * allowed, because its seal is still valid. A run of another workspace is treated as not found.
 */
export function eligibleRun(
  run: RunFacts | undefined,
  place: { workspace: string; environment: string },
): Eligibility {
  if (!run || run.workspace !== place.workspace) return { ok: false, code: 'not_found' };
  const samples = Object.hasOwn(kinds, run.kind) ? kinds[run.kind]! : undefined;
  if (samples === undefined)
    return ineligible('kind', `A run of the kind ${run.kind} has no samples of factor returns.`);
  if (run.environment !== place.environment)
    return ineligible('environment', `The run belongs to the environment ${run.environment}.`);
  if (run.state !== 'succeeded')
    return ineligible('state', `The run is ${run.state}. Only a run that succeeded has samples.`);
  return { ok: true, samples };
}

function ineligible(reason: 'kind' | 'environment' | 'state', detail: string): Eligibility {
  return { ok: false, code: 'scenario_run_ineligible', reason, detail };
}
