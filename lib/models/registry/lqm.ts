import type { PredictionTask } from './prediction.schema.ts';

/** Keys of the runs that train and evaluate a version; the jobs are declared by them. */
export const TRAININGS = 'modeling.trainings';
export const EVALUATIONS = 'modeling.evaluations';

export const lqmFamilies = ['regime_ghmm', 'ridge', 'var', 'gbt', 'ensemble'] as const;
export type LqmFamily = (typeof lqmFamilies)[number];

/** Families that scenarios and paths can be drawn from; the others predict a target. */
export const generativeFamilies = ['regime_ghmm'] as const satisfies readonly LqmFamily[];

export const lqmPurposes = ['generative', 'prediction'] as const;
export type LqmPurpose = (typeof lqmPurposes)[number];

/** What a version serves once it is approved: generative runs of the tenant, or the predictions of its model. */
export function purposeOf(family: LqmFamily): LqmPurpose {
  return family === 'regime_ghmm' ? 'generative' : 'prediction';
}

export const lqmStates = ['draft', 'trained', 'evaluated', 'approved', 'retired'] as const;
export type LqmState = (typeof lqmStates)[number];

/** A version of a feature, and how many days the last values of its entities may lie apart. */
export type StoreLink = { feature: string; version: number; version_id: number; tolerance_days: number };

/** What a version is: immutable, and hashed as a whole. */
export type LqmDefinition = {
  family: LqmFamily;
  /** The factors, sorted, with their unit. */
  columns: { name: string; unit: string }[];
  dataset: { id: number; uid: string; revision: number; content_hash: string };
  /** How old the newest month of the context may be when the model serves, in days. */
  max_age_days: number;
  /** The feature whose entities the factors are, where the newest month is asked of the feature store. */
  store?: StoreLink | undefined;
} & (
  | {
      /** The most regimes that are tried. */
      regimes_max: number;
      prediction?: undefined;
    }
  | { prediction: PredictionTask; regimes_max?: undefined }
);

export type LqmFacts = {
  state: LqmState;
  author: string;
  /** Whether the latest evaluation of the latest checkpoint was passed; null without one. */
  passed: boolean | null;
  serves: boolean;
  /** Whether a newer version of the model is approved. */
  superseded: boolean;
};

export type LqmEvent = 'approve' | 'retire';

export type LqmVerdict =
  | { ok: true; next: 'approved' | 'retired' }
  | {
      ok: false;
      code:
        | 'model_not_evaluated'
        | 'evaluation_failed'
        | 'approver_is_author'
        | 'model_approved'
        | 'model_superseded'
        | 'model_retired';
    };

/**
 * Whether a person may decide about a version. Approval takes a passed evaluation of its checkpoint and another person
 * than its author; retiring takes anybody, once. What is retired stays so. What is approved and does not serve can be
 * approved again to serve, unless a newer version is approved.
 */
export function decideLqm(facts: LqmFacts, event: LqmEvent, actor: string): LqmVerdict {
  const { state, author, passed, serves, superseded } = facts;
  if (state === 'retired') return { ok: false, code: 'model_retired' };
  if (event === 'retire') return { ok: true, next: 'retired' };
  if (state === 'approved' && serves) return { ok: false, code: 'model_approved' };
  if (state === 'approved' && superseded) return { ok: false, code: 'model_superseded' };
  if (actor === author) return { ok: false, code: 'approver_is_author' };
  if (state === 'approved') return { ok: true, next: 'approved' };
  if (state !== 'evaluated') return { ok: false, code: 'model_not_evaluated' };
  return passed ? { ok: true, next: 'approved' } : { ok: false, code: 'evaluation_failed' };
}
