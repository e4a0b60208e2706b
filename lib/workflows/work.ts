import type { Scope } from '#lib/core/scope.ts';

/** The runs of the pipeline that a step may ask for, and the scope that its application needs. */
export const jobScopes = {
  'investment.theme-factors': 'investment:run',
  'planning.forecasts': 'planning:forecast:create',
  'modeling.drift-assessments': 'lqm:build:run',
  'trust.evidence-packs': 'trust:write',
} as const satisfies Record<string, Scope>;

/** What a step may do at once, and the scope that its application needs. */
export const taskScopes = {
  'planning.ledger-snapshot': 'financial:read',
  'data.import': 'workflow:manage',
} as const satisfies Record<string, Scope>;

export type WorkflowJob = keyof typeof jobScopes;
export type WorkflowTask = keyof typeof taskScopes;
