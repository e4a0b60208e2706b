/** Matches the message of PostgreSQL about a write that the policies of resting workspaces refuse. */
const REFUSED = /violates row-level security policy "awake(_insert|_update)?"/;
const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Whether the database refused a write because the workspace is being moved to another cell, or has been moved. The
 * move can begin between the check of a request and its write.
 */
export function isAtRest(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ((cause as { code?: unknown }).code === INSUFFICIENT_PRIVILEGE && REFUSED.test(cause.message))
      return true;
  }
  return false;
}
