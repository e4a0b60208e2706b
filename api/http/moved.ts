import type { Context } from 'koa';
import { Problem } from '#lib/core/problem.ts';

/** The state of a workspace that is being moved to another cell or has been moved, and the address of that cell. */
export type Move = { state: 'moving' | 'moved'; address: string };

/** The pause in seconds before a write is tried again while its workspace is being moved. */
const RETRY_AFTER = '5';

/**
 * Refuses a request for a workspace that has been moved, with the address of its cell. While the workspace is being
 * moved, refuses writes only.
 */
export function refuseMoved(
  { method, path, search }: Pick<Context, 'method' | 'path' | 'search'>,
  { state, address }: Move,
): void {
  if (state === 'moved') {
    throw new Problem('workspace_moved', `The workspace has been moved. Its address is ${address}.`, {
      members: { address },
      headers: { Location: atAddress(address, { path, search }) },
    });
  }
  if (method !== 'GET' && method !== 'HEAD') throw workspaceMoving();
}

/**
 * Returns the URL of a request at another address. A request line can be a whole URL or begin with two slashes, so the
 * host is always that of the address.
 */
function atAddress(address: string, { path, search }: Pick<Context, 'path' | 'search'>): string {
  const url = new URL(address);
  url.pathname = path;
  url.search = search;
  return url.href;
}

/** Returns the problem of a write while the workspace is being moved. */
export function workspaceMoving(): Problem {
  return new Problem(
    'workspace_moving',
    'The workspace is being moved to another cell. Reads go on; send the request again after the pause.',
    { headers: { 'Retry-After': RETRY_AFTER } },
  );
}
