import { LockMode } from '@mikro-orm/core';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { applicationOf, defineCommand, type Circumstances, type Entry } from '#lib/governance/command.ts';
import { conflictSlot, keepConflict, type ConflictSlot } from '#lib/governance/evidence-conflict.write.ts';
import { decideOffered, type SourceConflict } from '#lib/governance/evidence-conflict.ts';
import { compareEvidence } from '#lib/governance/evidence.ts';
import { isKnownParty } from '#lib/access/known-party.query.ts';
import { knownPlace, unknownWorkspace } from '#lib/access/known-place.query.ts';
import {
  readNettingSet,
  termsHash,
  type NettingSetFault,
  type NettingSetTerms,
  type ReadNettingSet,
} from './netting-set.ts';
import { NettingSet } from './netting-set.entity.ts';
import { isNameTaken, lockNettingSets } from './netting-set.query.ts';

type Input = Tenant & { terms: NettingSetTerms; sourceReference: string; sourceHash: string };

type Facts = {
  read: ReadNettingSet;
  isPartyKnown: boolean;
  isNameTaken: boolean;
  /** The active record under the same reference; null if no active record exists. */
  known: NettingSet | null;
  /**
   * The open or resolved conflict in which the same evidence against the known record is already stored, or a new
   * conflict; undefined if there is no known record.
   */
  slot: ConflictSlot | undefined;
};

export type RecordingVerdict =
  | { ok: true; outcome: 'recorded' | 'seen_again' }
  | { ok: false; code: 'invalid_terms'; isPartyKnown: boolean; faults: readonly NettingSetFault[] }
  | { ok: false; code: 'name_in_use' }
  | SourceConflict<NettingSet>;

/**
 * Records supplied terms. A repeated source only increases a count. A different source under the same reference is
 * stored as a conflict. Names are unique, ignoring case.
 */
export const recordNettingSet = defineCommand<Input>()({
  find: knownPlace,
  unknown: 'workspace_unknown',
  async lock(em, { sourceReference }, place) {
    await lockNettingSets(em, place);
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    return em.findOne(NettingSet, { sourceReference, supersededAt: null }, { lockMode });
  },
  async facts(em, known, { terms, sourceHash }): Promise<Facts> {
    const read = readNettingSet(terms, sourceHash);
    const offered = { sourceHash: read.ok ? read.sourceHash : sourceHash, content: terms };
    return {
      read,
      isPartyKnown: await isKnownParty(em, 'counterparty', { id: terms.counterparty_id }),
      isNameTaken: !known && (await isNameTaken(em, terms.name)),
      known,
      slot: known
        ? await conflictSlot(em, { subject: { type: 'netting_set', uid: known.uid }, ...offered })
        : undefined,
    };
  },
  decide({ read, isPartyKnown, isNameTaken, known, slot }, { terms }): RecordingVerdict {
    if (!read.ok || !isPartyKnown) {
      return { ok: false, code: 'invalid_terms', isPartyKnown, faults: read.ok ? [] : read.faults };
    }
    if (isNameTaken) return { ok: false, code: 'name_in_use' };
    if (!known) return { ok: true, outcome: 'recorded' };
    const compared = compareEvidence(
      { sourceHash: known.sourceHash, content: known.terms },
      { sourceHash: read.sourceHash, content: terms },
    );
    return decideOffered(known, compared, slot!.uid);
  },
  async write(em, { read, known }, { outcome }, at) {
    const nettingSet = known ?? createNettingSet(em, read, at);
    if (known) Object.assign(known, { timesSeen: known.timesSeen + 1, lastSeenAt: at.now });
    await em.flush();
    return { result: { nettingSet, outcome } };
  },
  async writeRefusal(em, { read, slot }, verdict, at) {
    if (verdict.code !== 'source_evidence_conflict' || !read.ok) return undefined;
    const { kept, kind, differing } = verdict;
    const isNew = keepConflict(em, slot!, {
      ...read,
      content: at.input.terms,
      subject: { type: 'netting_set', uid: kept.uid },
      kind,
      differing,
      application: applicationOf(at),
      now: at.now,
    });
    if (isNew) kept.conflictsOpen += 1;
    return [];
  },
  entry(_facts, verdict, _input, result): Entry | undefined {
    if (result?.outcome === 'recorded') {
      const { nettingSet } = result;
      return { op: 'netting_set.recorded', subject: subjectOf(nettingSet), afterHash: nettingSet.termsHash };
    }
    if (verdict.ok || verdict.code !== 'source_evidence_conflict') return undefined;
    return { op: 'netting_set.conflict', subject: subjectOf(verdict.kept) };
  },
  refusals: {
    ...unknownWorkspace,
    invalid_terms: 'The terms are not valid.',
    name_in_use: 'Another agreement already has this name.',
    source_evidence_conflict: 'A different version of the terms is recorded under this reference.',
  },
});

function subjectOf({ uid, version }: NettingSet): Entry['subject'] {
  return { type: 'netting_set', uid, version };
}

function createNettingSet(em: Em, read: ReadNettingSet, at: Circumstances & { input: Input }): NettingSet {
  if (!read.ok) throw new Error('terms with faults must never be recorded');
  const { terms, sourceReference } = at.input;
  return em.create(NettingSet, {
    uid: newUid(prefixes.nettingSet),
    workspaceUid: at.place.workspace,
    environment: at.place.environment,
    version: 1,
    name: terms.name,
    counterpartyId: terms.counterparty_id,
    terms,
    termsHash: termsHash(terms),
    sourceReference,
    sourceHash: read.sourceHash,
    hashGrade: read.hashGrade,
    conflictsOpen: 0,
    timesSeen: 1,
    lastSeenAt: at.now,
    createdByUid: applicationOf(at),
    createdAt: at.now,
    supersedesUid: null,
    supersededAt: null,
  });
}
