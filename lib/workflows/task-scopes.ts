import type { Scope } from '#lib/core/scope.ts';

/** The kinds of runs that a step may start, by key. `scope` is the scope that the workflow's application needs. */
export type StartableRuns = Readonly<Record<string, { readonly scope: Scope }>>;

/** The tasks that a step does immediately, each with the scope that the workflow's application needs. */
export const taskScopes = {
  'planning.ledger-snapshot': 'financial:read',
  'data.import': 'workflow:manage',
  'data.quality': 'data:market:read',
  'actions.exception-ageing': 'actions:read',
  'benchmarking.comparisons': 'benchmark:read',
} as const satisfies Record<string, Scope>;

export type WorkflowTask = keyof typeof taskScopes;
