import type { TObject } from 'typebox';
import type { Scope } from '#lib/core/scope.ts';
import type { Run } from '#lib/pipeline/define-run.ts';

/** The operation that submits a kind of run, and the parts of its request. */
export type RunRoute = {
  run: Run;
  /** The summary of the operation. */
  summary: string;
  /** The member of the request whose value is in the path. */
  subject: string | undefined;
  /** Returns the scopes that a request needs in addition to the scope of the run. */
  needs(request: Readonly<Record<string, unknown>>): readonly Scope[];
  body: TObject | undefined;
  query: TObject | undefined;
  other: OtherRun | undefined;
};

/** Another run that an operation submits, for a body with this `kind`. */
export type OtherRun = {
  kind: string;
  run: Run;
  body: TObject;
  /** Summary of the operation for such a body. */
  summary: string;
  /** The scopes that a request needs in addition to the scope of the operation. */
  needs: readonly Scope[];
  /** The schema titles for the runs of both kinds: `sealed` for a sealed run, `open` for a run without a seal. */
  titles: { sealed: string; open: string };
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

/** Returns the route of the run that a request with this `kind` submits. */
export function routeOfKind(route: RunRoute, kind: unknown): RunRoute {
  const { other } = route;
  if (!other || kind !== other.kind) return route;
  return { ...route, run: other.run, body: other.body, needs: () => other.needs };
}

/** Returns the routes of all runs in the order of their keys. Complete once all operations are declared. */
export function runRoutes(): RunRoute[] {
  return [...routes.values()].sort((one, other) => (one.run.key < other.run.key ? -1 : 1));
}
