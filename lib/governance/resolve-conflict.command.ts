import type { Em } from '#lib/database/base.ts';
import { defineCommand, personOf, type Entry, type RefusalCode, placeOf } from './command.ts';
import { EvidenceConflict } from './evidence-conflict.entity.ts';
import {
  decideConflict,
  type ConflictDecision,
  type ConflictVerdict,
  type EvidenceSubject,
} from './evidence-conflict.ts';

/** A record that submitted evidence may contradict. */
export type Contradicted = { uid: string; createdByUid: string; conflictsOpen: number };

/** A kind of record, and the steps that resolve a conflict about such a record. */
export type ConflictedKind<R extends Contradicted> = {
  subject: EvidenceSubject;
  /** Locks the record that the evidence contradicts. */
  lock(em: Em, uid: string): Promise<R>;
  /** Whether the record has not ended, so that it can still be replaced. */
  isLive(record: R): boolean;
  /** Returns the persons who own or are responsible for these applications. */
  proposersOf(em: Em, applications: readonly string[]): Promise<string[]>;
  /** Ends the dispute of the record. Called when the last open conflict of the record was resolved as `keep`. */
  settle?(record: R): void;
  /** Replaces the record with the submitted evidence. Returns the new record. */
  supersede(em: Em, record: R, conflict: EvidenceConflict, now: Date): Promise<R>;
  /** Returns the details of the audit entry, in addition to the conflict. */
  details(record: R, successor: R | undefined): Readonly<Record<string, string | null>>;
};

export type ConflictResolution = { conflict: string; decision: ConflictDecision; reason: string };

/** Resolves evidence that contradicts a record of this kind. The record is kept, or the evidence replaces it. */
export function resolveConflict<R extends Contradicted>(kind: ConflictedKind<R>) {
  const named = (uid: string) => ({ uid, subjectType: kind.subject });
  return defineCommand<ConflictResolution>()({
    async find(em, { conflict: uid }) {
      return placeOf(await em.findOne(EvidenceConflict, named(uid), { filters: false }));
    },
    unknown: 'conflict_unknown',
    async lock(em, { conflict: uid }) {
      const { subjectUid } = await em.findOneOrFail(EvidenceConflict, named(uid));
      return kind.lock(em, subjectUid);
    },
    async facts(em, record, { conflict: uid }) {
      const conflict = await em.findOneOrFail(EvidenceConflict, { uid }, { refresh: true });
      const proposers = await kind.proposersOf(em, [record.createdByUid, conflict.offeredByUid]);
      return { record, conflict, proposers };
    },
    decide({ record, conflict, proposers }, { decision }, at): ConflictVerdict {
      const { state } = conflict;
      const facts = { state, isLive: kind.isLive(record), open: record.conflictsOpen, proposers };
      return decideConflict(facts, decision, personOf(at));
    },
    async write(em, { record, conflict }, { next }, at) {
      const { decision, reason } = at.input;
      em.assign(conflict, { state: next, resolvedByUid: personOf(at), resolvedAt: at.now, reason });
      record.conflictsOpen -= 1;
      const successor =
        decision === 'supersede' ? await kind.supersede(em, record, conflict, at.now) : undefined;
      if (!successor && record.conflictsOpen === 0) kind.settle?.(record);
      return { result: { conflict, record, successor } };
    },
    entry({ record, conflict }, _verdict, { decision, reason }, result): Entry {
      const added = result ? kind.details(record, result.successor) : {};
      return {
        op: `${kind.subject}.conflict_resolved`,
        subject: { type: kind.subject, uid: conflict.subjectUid },
        details: { conflict_uid: conflict.uid, decision, reason, ...added },
      };
    },
    refusals: {
      conflict_unknown: 'The conflict does not exist.',
      conflict_resolved: 'The conflict has already been resolved.',
      resolver_not_independent:
        'A person who owns or is responsible for an application that submitted the record or the contradicting evidence cannot resolve the conflict.',
      transition_not_allowed: 'The record has ended. Its conflicts can only be resolved as `keep`.',
      conflicts_open: 'Other evidence also contradicts the record. Resolve those conflicts first.',
    } satisfies Record<RefusalCode<ConflictVerdict> | 'conflict_unknown', string>,
  });
}

export type ConflictCommand<R extends Contradicted> = ReturnType<typeof resolveConflict<R>>;
