import type { runs } from '#lib/runs.ts';
import type { loaders } from './runners.ts';
import type { Computation, PartComputation } from './runner.ts';

type DataOf<Key extends keyof typeof runs> = Awaited<ReturnType<(typeof loaders)[Key]>>;

/** How each kind of work computes, loaded in a thread on first use. A declared job without an entry does not compile. */
export const computations: {
  [Key in keyof typeof runs]: () => Promise<{
    compute: Computation<(typeof runs)[Key], DataOf<Key>>;
    /** Of the kinds that are divided. */
    computePart?: PartComputation<(typeof runs)[Key], DataOf<Key>>;
  }>;
} = {
  'investment.theme-factors': () => import('./investment/theme-factors.compute.ts'),
  'investment.margin-calls': () => import('./investment/margin-calls.compute.ts'),
  'investment.valuation-adjustments': () => import('./investment/valuation-adjustments.compute.ts'),
  'quant.research-snapshots': () => import('./quant/research-snapshots.compute.ts'),
  'quant.research-runs': () => import('./quant/research-runs.compute.ts'),
  'generative.anomaly': () => import('./generative/anomaly.compute.ts'),
  'modeling.trainings': () => import('./modeling/trainings.compute.ts'),
  'modeling.drift-assessments': () => import('./modeling/drift-assessments.compute.ts'),
  'modeling.evaluations': () => import('./modeling/evaluations.compute.ts'),
  'generative.scenarios': () => import('./generative/scenarios.compute.ts'),
  'planning.forecasts': () => import('./planning/forecasts.compute.ts'),
  'generative.paths': () => import('./generative/paths.compute.ts'),
  'generative.model-scenarios': () => import('./generative/model-scenarios.compute.ts'),
  'trust.evidence-packs': () => import('./trust/evidence-packs.compute.ts'),
};
