export const changeKinds = ['create', 'profile', 'rebind'] as const;
export type ChangeKind = (typeof changeKinds)[number];

export const versionStates = ['draft', 'evaluated', 'approved', 'superseded', 'retired'] as const;
export type VersionState = (typeof versionStates)[number];

/** The states of an entry in the history of serving. A model whose resumption is requested is still suspended. */
export const servingStates = ['serving', 'suspended', 'resume_requested', 'retired'] as const;
export type ServingState = (typeof servingStates)[number];

export const modelStatuses = ['draft', 'serving', 'suspended', 'retired'] as const;
export type ModelStatus = (typeof modelStatuses)[number];

/** Returns the status of a question model, by the state of its latest serving entry. */
export function statusOf(state: ServingState | null): ModelStatus {
  if (state === null) return 'draft';
  return state === 'resume_requested' ? 'suspended' : state;
}

/** The facts of a decision about a version. `passed` is the verdict of its latest gate evaluation, if there is one. */
export type VersionFacts = {
  state: VersionState;
  author: string;
  /** The person who imported the suite of the gate. */
  importer: string | null;
  passed: boolean | null;
  /** Whether the bound checkpoint of the numeric model is the serving one. */
  isBound: boolean;
  serving: ServingState | null;
};

export type ApprovalVerdict =
  | { ok: true }
  | {
      ok: false;
      code:
        | 'version_retired'
        | 'version_approved'
        | 'version_superseded'
        | 'model_suspended'
        | 'version_not_evaluated'
        | 'evaluation_failed'
        | 'approver_is_author'
        | 'approver_is_importer'
        | 'bound_model_unavailable';
    };

/**
 * Decides whether a person may approve a version. The approval needs a passed evaluation on the suite of the gate, a
 * live binding, and a person who neither wrote the version nor imported the suite.
 */
export function decideApproval(facts: VersionFacts, actor: string): ApprovalVerdict {
  const { state, author, importer, passed, isBound, serving } = facts;
  if (state === 'retired') return { ok: false, code: 'version_retired' };
  if (state === 'approved') return { ok: false, code: 'version_approved' };
  if (state === 'superseded') return { ok: false, code: 'version_superseded' };
  if (serving === 'suspended' || serving === 'resume_requested')
    return { ok: false, code: 'model_suspended' };
  if (actor === author) return { ok: false, code: 'approver_is_author' };
  if (actor === importer) return { ok: false, code: 'approver_is_importer' };
  if (passed === null) return { ok: false, code: 'version_not_evaluated' };
  if (!passed) return { ok: false, code: 'evaluation_failed' };
  return isBound ? { ok: true } : { ok: false, code: 'bound_model_unavailable' };
}

export type ServingEvent = 'suspend' | 'resume' | 'retire';

export type ServingVerdict =
  | { ok: true; next: ServingState }
  | { ok: false; code: 'not_serving' | 'not_suspended' | 'already_suspended' | 'second_person_required' };

/**
 * Decides a change of the serving state. One person can suspend or retire. Two persons are needed to resume: one person
 * requests the resumption, and another person confirms it.
 */
export function decideServing(
  { state, setBy }: { state: ServingState | null; setBy: string | null },
  event: ServingEvent,
  actor: string,
): ServingVerdict {
  if (state === null || state === 'retired') return { ok: false, code: 'not_serving' };
  if (event === 'retire') return { ok: true, next: 'retired' };
  if (event === 'suspend')
    return state === 'serving' ? { ok: true, next: 'suspended' } : { ok: false, code: 'already_suspended' };
  if (state === 'serving') return { ok: false, code: 'not_suspended' };
  if (state === 'suspended') return { ok: true, next: 'resume_requested' };
  return actor === setBy ? { ok: false, code: 'second_person_required' } : { ok: true, next: 'serving' };
}
