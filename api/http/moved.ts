import type { Context } from 'koa';
import { Problem } from '#lib/core/problem.ts';
import type { Rest } from '#lib/core/at-rest.ts';

/** The path and the query of a request. */
export type RequestPlace = Pick<Context, 'path' | 'search'>;

/** The pause in seconds before a write is tried again while its workspace is being moved. */
const RETRY_AFTER = '5';

/**
 * Refuses a request for a workspace that has been moved, with the address of its cell. While the workspace is being
 * moved, refuses writes only.
 */
export function refuseMoved(
  { method, path, search }: Pick<Context, 'method'> & RequestPlace,
  { state, address }: Rest,
): void {
  if (state === 'moved') throw workspaceMoved(address, { path, search });
  if (method !== 'GET' && method !== 'HEAD') throw workspaceMoving();
}

/** Returns the problem of a write while the workspace is being moved. */
export function workspaceMoving(): Problem {
  return new Problem(
    'workspace_moving',
    'The workspace is being moved to another cell. Reads go on; send the request again after the pause.',
    { headers: { 'Retry-After': RETRY_AFTER } },
  );
}

/** Returns the problem of a request for a workspace that has been moved to the cell at an address. */
export function workspaceMoved(address: string, place?: RequestPlace): Problem {
  return new Problem('workspace_moved', `The workspace has been moved. Its address is ${address}.`, {
    members: { address },
    headers: place ? { Location: atAddress(address, place) } : {},
  });
}

/**
 * Returns the URL of a request at another address. A request line can be a whole URL or begin with two slashes, so the
 * host is always that of the address.
 */
function atAddress(address: string, { path, search }: RequestPlace): string {
  const url = new URL(address);
  url.pathname = path;
  url.search = search;
  return url.href;
}
