import type { Actor } from '#lib/audit/entry.ts';
import type { Clock } from '#lib/core/clock.ts';
import type { Em, Orm } from '#lib/database/base.ts';
import { queriesOn } from '#lib/database/queries.ts';
import type { InputOf, Outcome, TenantCommand } from '#lib/governance/command.ts';
import { changeRecord, type RecordChange } from '#lib/governance/governed/change-record.command.ts';
import type { GovernedKind } from '#lib/governance/governed/kind.ts';
import { governWithin } from '#lib/governance/govern.ts';

/**
 * Carries out a command in the caller's transaction, in the tenancy of its subject, at a time that the test
 * sets.
 */
export async function carryOutIn<C extends TenantCommand>(
  em: Em,
  command: C,
  input: InputOf<C>,
  { actor, clock }: { actor: Actor; clock: Clock },
): Promise<Outcome<C>> {
  const place = await command.find(em, input);
  if (!place) return { ok: false, code: command.unknown, detail: '', isRecorded: false } as Outcome<C>;
  return governWithin(em, command, input, { actor, place, clock } as Parameters<typeof governWithin<C>>[3]);
}

/** Changes a governed record as a person, in the caller's transaction, at a time that the test sets. */
export function changeGoverned(
  em: Em,
  kind: GovernedKind,
  uid: string,
  { by, now, ...change }: Omit<RecordChange, 'uid'> & { by: string; now: Date },
) {
  const actor = { kind: 'person' as const, uid: by };
  return carryOutIn(em, changeRecord(kind), { uid, ...change }, { actor, clock: { now: () => now } });
}

/** Returns the commands and queries with which tests create samples. All of them use one ORM. */
export function handsOf(orm: Orm) {
  return { orm, query: queriesOn(orm) };
}
