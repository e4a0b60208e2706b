/**
 * Returns the refusal of a run whose rows come from sealed snapshots that have changed since they were
 * sealed.
 */
export function refuseAltered(fault: string) {
  return {
    ok: false as const,
    refusal: { code: 'snapshot_altered' as const, detail: `The snapshots cannot be used: ${fault}.` },
  };
}
