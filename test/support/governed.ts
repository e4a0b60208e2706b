import type { Em } from '#lib/database/base.ts';
import { changeRecord, type RecordChange } from '#lib/governance/governed/change-record.command.ts';
import type { GovernedKind } from '#lib/governance/governed/kind.ts';
import { carryOut } from '#lib/governance/govern.ts';

/** Changes a governed record as a person, in the caller's transaction, at a time of the test's own. */
export async function changeGoverned(
  em: Em,
  kind: GovernedKind,
  uid: string,
  { by, now, ...change }: Omit<RecordChange, 'uid'> & { by: string; now: Date },
) {
  const command = changeRecord(kind);
  const place = (await command.find(em, { uid, ...change }))!;
  const actor = { kind: 'person' as const, uid: by };
  return carryOut(em, command, { uid, ...change }, { actor, place, clock: { now: () => now } });
}
