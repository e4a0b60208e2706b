import type { LiveStanding } from './live-verdict.ts';

/** Returns the comparison over the most rounds; null before the first round is resolved. */
export function newestStanding(
  rounds: readonly { standing?: LiveStanding | null | undefined }[],
): LiveStanding | null {
  let newest: LiveStanding | null = null;
  for (const { standing } of rounds)
    if (standing && standing.rounds > (newest?.rounds ?? 0)) newest = standing;
  return newest;
}
