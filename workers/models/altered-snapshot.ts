/** The refusal of a run whose rows were made of sealed snapshots that are not as they were sealed. */
export function refuseAltered(fault: string) {
  return {
    ok: false as const,
    refusal: { code: 'snapshot_altered' as const, detail: `Not used: ${fault}.` },
  };
}
