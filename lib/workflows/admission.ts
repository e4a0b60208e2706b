import type { PolicyEffect } from '#lib/governance/policy/policy.ts';

export const admissionDecisions = [
  'admitted',
  'denied',
  'admitted_with_conditions',
  'not_evaluated_denied',
] as const;
export type AdmissionDecision = (typeof admissionDecisions)[number];

/** Number of minutes after the decision during which an admission can start a run. */
export const ADMISSION_MINUTES = 10;

/** The minimum number of days for which decisions stay readable. Currently, decisions are never deleted. */
export const ADMISSION_DAYS_KEPT = 400;

/** The triggers of a run: a person, or a schedule that a person has set. */
export const admissionTriggers = ['manual', 'schedule'] as const;
export type AdmissionTrigger = (typeof admissionTriggers)[number];

/** The reasons that prevent a start, in addition to the policies. */
export type AdmissionRefusal =
  | { code: 'version_not_published' }
  | { code: 'person_not_active' }
  | { code: 'parameters_invalid' }
  | { code: 'application_inactive' }
  | { code: 'production_access_disabled' }
  | { code: 'scope_missing'; scopes: string[] }
  | { code: 'run_undeclared'; runs: string[] }
  | { code: 'approval_graph_named'; graph: string };

/** The conditions that must be met before the first step of an admitted run. */
export type AdmissionCondition = { code: 'approval_required' };

export type AdmissionFacts = {
  isPublished: boolean;
  /**
   * Whether the responsible person is active: the person who starts the run, or the person who set the schedule of the
   * run.
   */
  isPersonActive: boolean;
  areParametersValid: boolean;
  isApplicationActive: boolean;
  hasPlaceAccess: boolean;
  missingScopes: string[];
  /** Kinds of runs that a step names, but that are no longer declared. */
  undeclaredRuns: string[];
  /** The decision of the policies on the start; null if the policies could not be evaluated. */
  answer: { effect: PolicyEffect; graphs: readonly (string | null)[] } | null;
};

export type AdmissionVerdict = {
  decision: AdmissionDecision;
  conditions: AdmissionCondition[];
  refusals: AdmissionRefusal[];
};

/**
 * Decides whether a run may start. If the policies cannot be evaluated, the start is denied. If they require an
 * approval, a person must approve before the first step. An approval by a named graph cannot be given in a run, so the
 * start is denied.
 */
export function decideAdmission(facts: AdmissionFacts): AdmissionVerdict {
  const { answer } = facts;
  const refusals = refusalsOf(facts);
  if (!answer) return { decision: 'not_evaluated_denied', conditions: [], refusals };
  if (refusals.length > 0) return { decision: 'denied', conditions: [], refusals };
  switch (answer.effect) {
    case 'allow':
      return { decision: 'admitted', conditions: [], refusals: [] };
    case 'require_approval':
      return {
        decision: 'admitted_with_conditions',
        conditions: [{ code: 'approval_required' }],
        refusals: [],
      };
    default:
      return { decision: 'denied', conditions: [], refusals: [] };
  }
}

function refusalsOf(facts: AdmissionFacts): AdmissionRefusal[] {
  const {
    isPublished,
    isPersonActive,
    areParametersValid,
    isApplicationActive,
    hasPlaceAccess,
    missingScopes,
    undeclaredRuns,
    answer,
  } = facts;
  const graph = answer?.effect === 'require_approval' && answer.graphs.find((each) => each !== null);
  return [
    ...(isPublished ? [] : [{ code: 'version_not_published' as const }]),
    ...(isPersonActive ? [] : [{ code: 'person_not_active' as const }]),
    ...(areParametersValid ? [] : [{ code: 'parameters_invalid' as const }]),
    ...(isApplicationActive ? [] : [{ code: 'application_inactive' as const }]),
    ...(hasPlaceAccess ? [] : [{ code: 'production_access_disabled' as const }]),
    ...(missingScopes.length > 0 ? [{ code: 'scope_missing' as const, scopes: missingScopes }] : []),
    ...(undeclaredRuns.length > 0 ? [{ code: 'run_undeclared' as const, runs: undeclaredRuns }] : []),
    ...(graph ? [{ code: 'approval_graph_named' as const, graph }] : []),
  ];
}

export function isAdmitted(decision: AdmissionDecision): boolean {
  return decision === 'admitted' || decision === 'admitted_with_conditions';
}
