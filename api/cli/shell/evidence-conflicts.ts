import type { Command } from 'commander';
import type { EvidenceConflict } from '#lib/governance/evidence-conflict.entity.ts';
import { openConflicts } from '#lib/governance/evidence-conflict.query.ts';
import type { ConflictDecision, EvidenceSubject } from '#lib/governance/evidence-conflict.ts';
import type { ConflictCommand, Contradicted } from '#lib/governance/resolve-conflict.command.ts';
import { registerEvents } from './events.ts';
import { registerList } from './list.ts';

const KEPT = 'the reason, stored with the conflict';

/** How conflicts about one kind of record are shown and decided. */
export type ConflictedRecords<R extends Contradicted> = {
  subject: EvidenceSubject;
  what: string;
  descriptions: Readonly<Record<ConflictDecision, string>>;
  command: ConflictCommand<R>;
  /** The fields of the record now in effect. `resolve` prints them after the state of the conflict. */
  answer(record: R): Readonly<Record<string, unknown>>;
};

/** Adds `conflicts` and `resolve keep|supersede` to the commands of a kind of record. */
export function registerConflicts<R extends Contradicted>(
  group: Command,
  { subject, what, descriptions, command, answer }: ConflictedRecords<R>,
): void {
  registerList(
    group
      .command('conflicts')
      .description(`list the ${what} that contradicts a record and waits for a decision`),
    { query: openConflicts, ask: () => subject, present: (found) => presentConflict(subject, found) },
  );
  const resolve = group
    .command('resolve')
    .description('resolve a conflict as a person who is independent of both submitting applications');
  registerEvents(resolve, 'conflict', {
    descriptions,
    reasons: { keep: KEPT, supersede: KEPT },
    command,
    inputOf: (conflict, decision, reason) => ({ conflict, decision, reason: reason! }),
    present: ({ result: { conflict, record, successor } }, uid) => ({
      uid,
      state: conflict.state,
      ...answer(successor ?? record),
    }),
  });
}

function presentConflict(
  subject: EvidenceSubject,
  { uid, subjectUid, kind, differing, timesOffered, offeredAt }: EvidenceConflict,
) {
  return {
    uid,
    [`${subject}_uid`]: subjectUid,
    kind,
    differing,
    times_offered: timesOffered,
    offered_at: offeredAt.toISOString(),
  };
}
