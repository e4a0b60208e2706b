import { sql } from 'kysely';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { defer, type Em, type Tenant } from '#lib/database/base.ts';
import { applicationOf, defineCommand, type Circumstances, type Entry } from '#lib/governance/command.ts';
import { conflictSlot, keepConflict, type ConflictSlot } from '#lib/governance/evidence-conflict.write.ts';
import { decideOffered, type SourceConflict } from '#lib/governance/evidence-conflict.ts';
import { compareEvidence } from '#lib/governance/evidence.ts';
import { knownPlace, unknownWorkspace } from '#lib/access/known-place.query.ts';
import {
  obligationHash,
  readObligation,
  type ObligationFault,
  type OfferedObligation,
  type ReadObligation,
} from './obligation.ts';
import { Obligation } from './obligation.entity.ts';
import { findLive, lockSource, type LiveSource } from './obligation-source.query.ts';

type Input = Tenant & { offered: OfferedObligation };

type Facts = LiveSource & {
  read: ReadObligation;
  /**
   * The open conflict in which evidence against the known record is stored, or a new conflict; undefined if there is no
   * known record.
   */
  slot: ConflictSlot | undefined;
};

export type RegistrationVerdict =
  | { ok: true; outcome: 'registered' | 'seen_again' }
  | { ok: false; code: 'invalid_obligation'; isPartyKnown: boolean; faults: readonly ObligationFault[] }
  | { ok: false; code: 'obligation_withdrawn'; kept: Obligation }
  | SourceConflict<Obligation>;

/**
 * Registers a submitted source as an obligation. If the same source is already registered, only its count
 * increases. A different source under the same reference is stored as a conflict, and the registered record
 * becomes disputed. The reference of a withdrawn record can never be registered again.
 */
export const registerObligation = defineCommand<Input>()({
  find: knownPlace,
  unknown: 'workspace_unknown',
  async lock(em, { offered }) {
    const source = { sourceSystem: offered.source_system, sourceReference: offered.source_reference };
    const read = readObligation(offered);
    await lockSource(em, source);
    const asked = { counterparty: offered.counterparty_id, hash: read.ok ? read.sourceHash : null };
    return { read, ...(await findLive(em, source, asked)) };
  },
  async facts(em, locked): Promise<Facts> {
    const { read, known } = locked;
    const slot =
      read.ok && known
        ? await conflictSlot(em, { subject: { type: 'obligation', uid: known.uid }, ...read })
        : undefined;
    return { ...locked, slot };
  },
  decide({ read, isPartyKnown, known, slot }): RegistrationVerdict {
    if (!read.ok || !isPartyKnown) {
      return { ok: false, code: 'invalid_obligation', isPartyKnown, faults: read.ok ? [] : read.faults };
    }
    if (!known) return { ok: true, outcome: 'registered' };
    if (known.governanceState === 'withdrawn')
      return { ok: false, code: 'obligation_withdrawn', kept: known };
    const compared = compareEvidence(known, read);
    return decideOffered(known, compared.same ? compared : inMajorUnits(compared), slot!.uid);
  },
  async write(em, { read, known, isReused }, { outcome }, at) {
    const obligation = known ?? (await createObligation(em, read, at));
    if (known) Object.assign(known, { timesSeen: known.timesSeen + 1, lastSeenAt: at.now });
    await em.flush();
    return { result: { obligation, outcome, isReused } };
  },
  async writeRefusal(em, { read, slot }, verdict, at) {
    if (verdict.code !== 'source_evidence_conflict' || !read.ok) return undefined;
    const { kept, kind, differing } = verdict;
    const subject = { type: 'obligation', uid: kept.uid } as const;
    const { now } = at;
    const isNew = keepConflict(em, slot!, {
      ...read,
      subject,
      kind,
      differing,
      application: applicationOf(at),
      now,
    });
    if (isNew) {
      kept.governanceState = 'disputed';
      kept.conflictsOpen += 1;
    }
    return [];
  },
  entry(_facts, verdict, _input, result): Entry | undefined {
    if (result?.outcome === 'registered') {
      const { obligation } = result;
      return {
        op: 'obligation.registered',
        subject: subjectOf(obligation),
        afterHash: obligation.recordHash,
      };
    }
    if (verdict.ok || verdict.code === 'invalid_obligation') return undefined;
    const op = verdict.code === 'obligation_withdrawn' ? 'obligation.refused' : 'obligation.conflict';
    return { op, subject: subjectOf(verdict.kept) };
  },
  refusals: {
    ...unknownWorkspace,
    invalid_obligation: 'The obligation is not valid.',
    obligation_withdrawn:
      'The obligation of this source was withdrawn. Register the obligation under another reference.',
    source_evidence_conflict:
      'A different source document is stored under this reference. A person must resolve the conflict.',
  },
});

/** Amounts are submitted in major units, so their pointers use the names of the major-unit fields. */
function inMajorUnits<V extends { differing: string[] }>(compared: V): V {
  return { ...compared, differing: compared.differing.map((pointer) => pointer.replace(/_minor$/, '')) };
}

function subjectOf({ uid, version }: Obligation): Entry['subject'] {
  return { type: 'obligation', uid, version };
}

async function createObligation(
  em: Em,
  read: ReadObligation,
  at: Circumstances & { input: Input },
): Promise<Obligation> {
  if (!read.ok) throw new Error('an obligation with faults must not be registered');
  const { content, sourceHash: hash, hashGrade } = read;
  const { source_system: system, source_reference: reference } = at.input.offered;
  const created = em.create(
    Obligation,
    {
      uid: newUid(prefixes.obligation),
      workspaceUid: at.place.workspace,
      environment: at.place.environment,
      version: 1,
      governanceState: 'registered',
      counterpartyId: content.counterparty_id,
      sourceSystem: system,
      sourceReference: reference,
      sourceHash: hash,
      hashGrade,
      currency: content.currency,
      content,
      recordHash: obligationHash({ system, reference, hash }, content),
      conflictsOpen: 0,
      timesSeen: 1,
      lastSeenAt: at.now,
      createdByUid: applicationOf(at),
      createdAt: at.now,
      supersedesUid: null,
    },
    { persist: false },
  );
  await defer(
    em,
    sql`
      insert into obligation (uid, workspace_uid, environment, version, governance_state, counterparty_id,
        source_system, source_reference, source_hash, hash_grade, currency, content, record_hash, conflicts_open,
        times_seen, last_seen_at, created_by_uid, created_at)
      values (${created.uid}, ${at.place.workspace}, ${at.place.environment}, 1, 'registered',
        ${content.counterparty_id}, ${system}, ${reference}, ${hash}, ${hashGrade}, ${content.currency},
        ${JSON.stringify(content)}::jsonb, ${created.recordHash}, 0, 1, ${at.now}, ${created.createdByUid}, ${at.now})`,
  );
  return created;
}
