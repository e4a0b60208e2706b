import type { Caller, Operation } from '#lib/core/operation.ts';
import type { ConsoleSession } from '#lib/access/console/session.query.ts';
import { toolsOf } from '../derive/tool.ts';
import { entitlementMissing } from '../http/access.ts';
import { servicesFor, type SharedServices } from '../services.ts';
import type { PageCall } from './page.ts';

/** Returns the functions with which the pages of a session read from the API and run queries. */
export type ReadsOf = (
  session: ConsoleSession,
  request: { requestId: string; signal: AbortSignal },
) => Pick<PageCall, 'read' | 'ask'>;

/**
 * Lets pages call the read operations of the catalog, with the same handlers, schemas and entitlements as over HTTP. A
 * person reads everything that their workspace is entitled to.
 */
export function createReads(catalog: readonly Operation[], shared: SharedServices): ReadsOf {
  const byKey = new Map(toolsOf(catalog).map((tool) => [tool.backing, tool]));
  const byPath = new Map(
    catalog.filter(({ method }) => method === 'GET').map(({ path, key }) => [path, byKey.get(key)]),
  );
  return (session, { requestId, signal }) => {
    const caller = callerOf(session);
    const services = servicesFor(shared, { caller, signal, isReadOnly: true });
    const read = async <Body>(operation: string, given: Readonly<Record<string, unknown>> = {}) => {
      const tool = byKey.get(operation) ?? byPath.get(operation);
      if (!tool) throw new Error(`the catalog has no read ${operation}`);
      if (!caller.entitlements.has(tool.scope)) throw entitlementMissing(tool.scope);
      // The schema of the operation describes the body, and pages name a type that is generated from the same schema,
      // so the cast is safe.
      return (await tool.call({ ...given }, { caller, services, requestId, signal })) as Body;
    };
    return { read, ask: services.query };
  };
}

function callerOf({ person, workspace, environment }: ConsoleSession): Caller {
  const entitlements = new Set(workspace.entitlements);
  return {
    credential: person.uid,
    application: person.uid,
    workspace: workspace.uid,
    environment,
    serviceClass: workspace.serviceClass,
    scopes: entitlements,
    entitlements,
  };
}
