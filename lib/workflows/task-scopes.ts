import type { Scope } from '#lib/core/scope.ts';

/** The kinds of runs that a step may start, by their keys, and the scope that the application of the workflow needs. */
export type StartableRuns = Readonly<Record<string, { readonly scope: Scope }>>;

/** What a step may do at once, and the scope that its application needs. */
export const taskScopes = {
  'planning.ledger-snapshot': 'financial:read',
  'data.import': 'workflow:manage',
} as const satisfies Record<string, Scope>;

export type WorkflowTask = keyof typeof taskScopes;
