import type { PredictionTask } from './prediction.schema.ts';

/** The keys of the runs that train and evaluate a version. */
export const TRAININGS = 'modeling.trainings';
export const EVALUATIONS = 'modeling.evaluations';

export const lqmFamilies = ['regime_ghmm', 'ridge', 'var', 'gbt', 'ensemble'] as const;
export type LqmFamily = (typeof lqmFamilies)[number];

/** Model families that generate scenarios and paths. All other families predict a target. */
export const generativeFamilies = ['regime_ghmm'] as const satisfies readonly LqmFamily[];

export const lqmPurposes = ['generative', 'prediction'] as const;
export type LqmPurpose = (typeof lqmPurposes)[number];

/**
 * Returns the purpose for which an approved version of this family is used: generative runs of the tenant, or
 * predictions of the model of the version.
 */
export function purposeOf(family: LqmFamily): LqmPurpose {
  return family === 'regime_ghmm' ? 'generative' : 'prediction';
}

export const lqmStates = ['draft', 'trained', 'evaluated', 'approved', 'retired'] as const;
export type LqmState = (typeof lqmStates)[number];

/**
 * A link to the feature store: a version of a feature, and the maximum time in days between the last values of its
 * entities.
 */
export type StoreLink = { feature: string; version: number; version_id: number; tolerance_days: number };

/** The definition of a version. It never changes and is hashed as a whole. */
export type LqmDefinition = {
  family: LqmFamily;
  /** The factors, sorted by name, with their units. */
  columns: { name: string; unit: string }[];
  dataset: { id: number; uid: string; revision: number; content_hash: string };
  /** Maximum age in days of the newest month that the model may use while it is the serving version. */
  max_age_days: number;
  /** The feature whose entities are the factors; undefined if the newest month comes from the dataset. */
  store?: StoreLink | undefined;
} & (
  | {
      /** Maximum number of regimes to try. */
      regimes_max: number;
      prediction?: undefined;
    }
  | { prediction: PredictionTask; regimes_max?: undefined }
);

export type LqmFacts = {
  state: LqmState;
  author: string;
  /** Whether the latest evaluation of the latest checkpoint passed; null if there is no evaluation. */
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
 * Decides whether a person may approve or retire a version. Approval needs a passed evaluation of the checkpoint and an
 * approver who is not the author. Any person may retire a version; a retirement is final. An approved version that is
 * not the serving version can be approved again to become the serving version, unless a newer version is approved.
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
