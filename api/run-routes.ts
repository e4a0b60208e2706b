import type { TObject } from 'typebox';
import type { Scope } from '#lib/core/scope.ts';
import type { Run } from '#lib/pipeline/define-run.ts';

/** The operation that submits a kind of run, and the parts of its request. */
export type RunRoute = {
  run: Run;
  /** The summary of the operation. */
  summary: string;
  /** The member of the request that the path contains. */
  subject: string | undefined;
  /** Returns the scopes that a request needs in addition to that of the run. */
  needs(request: Readonly<Record<string, unknown>>): readonly Scope[];
  body: TObject | undefined;
  query: TObject | undefined;
};

type Declared = Omit<RunRoute, 'run' | 'needs'> & {
  run: unknown;
  needs: ((request: never) => readonly Scope[]) | undefined;
};

const routes = new Map<string, RunRoute>();

/** Records the operation that submits a kind of run. Called while the operations are declared. */
export function declareRoute({ run, needs, ...route }: Declared): void {
  // The request of a run has the members of its operation; a contract test compares the two.
  const declared = run as Run;
  routes.set(declared.key, {
    run: declared,
    needs: (request) => needs?.(request as never) ?? [],
    ...route,
  });
}

/** Returns the routes of all runs in the order of their keys. Complete once all operations are declared. */
export function runRoutes(): RunRoute[] {
  return [...routes.values()].sort((one, other) => (one.run.key < other.run.key ? -1 : 1));
}
