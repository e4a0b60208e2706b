import type { PolicyEffect } from '#lib/governance/policy/policy.ts';

export const admissionDecisions = [
  'admitted',
  'denied',
  'admitted_with_conditions',
  'not_evaluated_denied',
] as const;
export type AdmissionDecision = (typeof admissionDecisions)[number];

/** An admission that starts no run by then starts none. */
export const ADMISSION_MINUTES = 10;

/** The least days for which decisions are there to be read. Nothing takes one away. */
export const ADMISSION_DAYS_KEPT = 400;

/** What asked for the run: a person, or the clock in the name of one. */
export const admissionTriggers = ['manual', 'schedule'] as const;
export type AdmissionTrigger = (typeof admissionTriggers)[number];

/** What stands in the way of a start beside the policies. */
export type AdmissionRefusal =
  | { code: 'version_not_published' }
  | { code: 'person_not_active' }
  | { code: 'parameters_invalid' }
  | { code: 'application_inactive' }
  | { code: 'production_access_disabled' }
  | { code: 'scope_missing'; scopes: string[] }
  | { code: 'run_undeclared'; runs: string[] }
  | { code: 'approval_graph_named'; graph: string };

/** What has to happen before the first step of an admitted run. */
export type AdmissionCondition = { code: 'approval_required' };

export type AdmissionFacts = {
  isPublished: boolean;
  /** Of who asks, or has it asked by the clock. */
  isPersonActive: boolean;
  areParametersValid: boolean;
  isApplicationActive: boolean;
  hasPlaceAccess: boolean;
  missingScopes: string[];
  /** The runs that a step names and that are no longer declared. */
  undeclaredRuns: string[];
  /** What the policies said; null where they could not be asked. */
  answer: { effect: PolicyEffect; graphs: readonly (string | null)[] } | null;
};

export type AdmissionVerdict = {
  decision: AdmissionDecision;
  conditions: AdmissionCondition[];
  refusals: AdmissionRefusal[];
};

/**
 * Whether a run may start. Policies that could not be asked deny. An approval that they ask for is given by a person
 * before the first step; one by a graph that they name cannot be given in a run, and denies.
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
