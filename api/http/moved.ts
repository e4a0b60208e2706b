import type { Context } from 'koa';
import { Problem } from '#lib/core/problem.ts';
import type { Rest } from '#lib/database/at-rest.ts';

/** The pause in seconds before a write is tried again while its workspace is being moved. */
const RETRY_AFTER = '5';

/**
 * Refuses a request for a workspace that has been moved, with the address of its cell. While the workspace is being
 * moved, refuses writes only.
 */
export function refuseMoved(
  { method, url }: Pick<Context, 'method' | 'url'>,
  { state, address }: Rest,
): void {
  if (state === 'moved') throw workspaceMoved(address, url);
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

/** Returns the problem of a request for a workspace that has been moved. `url` is the path of the request. */
export function workspaceMoved(address: string, url?: string): Problem {
  return new Problem('workspace_moved', `The workspace has been moved. Its address is ${address}.`, {
    members: { address },
    headers: url === undefined ? {} : { Location: new URL(url, address).href },
  });
}
