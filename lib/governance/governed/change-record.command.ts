import type { Static, TSchema } from 'typebox';
import type { Em } from '#lib/database/base.ts';
import { defineCommand, personOf, type Entry, placeOf } from '../command.ts';
import { lockControl } from './control-lock.query.ts';
import { GovernedRecord } from './governed-record.entity.ts';
import { lockVersions } from './governed-record.write.ts';
import type { BodyFault, GovernedKind } from './kind.ts';
import {
  decideGoverned,
  SUBMISSION_DAYS,
  type GovernedEvent,
  type GovernedFacts,
  type GovernedRefusal,
  type GovernedState,
} from './states.ts';

export type RecordChange = { uid: string; event: GovernedEvent; reason?: string | undefined };

export type RecordVerdict =
  | { ok: true; next: GovernedState }
  | { ok: false; code: GovernedRefusal | 'record_unknown' }
  | { ok: false; code: 'invalid_body'; faults: BodyFault[] };

/** The facts of the decision; undefined if the record does not exist. */
type Facts =
  | { record: GovernedRecord; versions: GovernedRecord[]; rule: GovernedFacts; faults: BodyFault[] }
  | undefined;

type Result = { record: GovernedRecord; from: GovernedState };

const past: Record<GovernedEvent, string> = {
  submit: 'submitted',
  withdraw: 'withdrawn',
  approve: 'activated',
  suspend: 'suspended',
  end: 'ended',
};

const refusals: Record<GovernedRefusal | 'record_unknown' | 'invalid_body', string> = {
  record_unknown: 'There is no record of this kind with this uid.',
  invalid_body: 'The terms of the record are not valid.',
  transition_not_allowed: 'The state of the record does not allow this change.',
  successor_required:
    'The record limits other records, so one person cannot suspend or end it. Replace it with a new version that two persons approve.',
  submission_lapsed: `The record was submitted more than ${SUBMISSION_DAYS} days ago. Draft it again.`,
  second_person_required: 'The person who drafted or submitted a record cannot approve it.',
  party_to_it: 'A person whom the record is about cannot submit or approve the record.',
};

/**
 * Changes the state of a governed record of this kind: submit, withdraw, approve, suspend or end. A version
 * that becomes active ends the previous version.
 */
export function changeRecord(kind: GovernedKind) {
  return defineCommand<RecordChange>()({
    async find(em, { uid }) {
      return placeOf(await em.findOne(GovernedRecord, { uid, kind: kind.kind }, { filters: false }));
    },
    unknown: 'record_unknown',
    async lock(em, { uid }, tenant): Promise<GovernedRecord[]> {
      const found = await em.findOne(GovernedRecord, { uid, kind: kind.kind }, { filters: false });
      if (!found) return [];
      await lockControl(em, tenant.workspace, 'change');
      return lockVersions(em, kind, tenant, found.key);
    },
    async facts(em, versions, { uid, event }, at): Promise<Facts> {
      const record = versions.find((each) => each.uid === uid);
      if (!record) return undefined;
      const { place: tenant, now } = at;
      const body = record.body as Static<TSchema>;
      const rule = {
        state: record.state,
        draftedBy: record.draftedByUid,
        submittedBy: record.submittedByUid,
        submittedAt: record.submittedAt,
        now,
        restrains: kind.mayBeEnded?.(body) === false,
        parties: (await kind.parties?.(em, body, { tenant, now })) ?? [],
      };
      const isChecked =
        decideGoverned(rule, event, personOf(at)).ok && (event === 'submit' || event === 'approve');
      const by = event === 'submit' ? personOf(at) : (record.submittedByUid ?? null);
      const faults = isChecked ? await kind.check?.(em, body, { tenant, key: record.key, now, by }) : [];
      return { record, versions, rule, faults: faults ?? [] };
    },
    decide(facts, { event }, at): RecordVerdict {
      if (!facts) return { ok: false, code: 'record_unknown' };
      const verdict = decideGoverned(facts.rule, event, personOf(at));
      if (verdict.ok && facts.faults.length) return { ok: false, code: 'invalid_body', faults: facts.faults };
      return verdict;
    },
    async write(em, facts, { next }, at) {
      const { record, versions } = facts!;
      const { event, reason } = at.input;
      const by = personOf(at);
      const { now } = at;
      const from = record.state;
      const superseded =
        event === 'approve'
          ? versions.filter(({ state }) => state === 'active' || state === 'suspended')
          : [];
      if (event === 'approve') {
        for (const before of superseded) end(before, { reason: 'superseded', by, now });
        await em.flush();
        em.assign(record, { approvedByUid: by, activeAt: now });
      }
      if (event === 'submit') em.assign(record, { submittedByUid: by, submittedAt: now });
      if (event === 'end' || event === 'withdraw') end(record, { reason: reason ?? event, by, now });
      record.state = next;
      await em.flush();
      return {
        result: { record, from } satisfies Result,
        consequences: superseded.map((before) => entryOf(kind, before, 'ended', 'superseded')),
        follow: () => followUp(em, kind, record, { event, now }),
      };
    },
    entry: (facts, _verdict, { event, reason }) => facts && entryOf(kind, facts.record, past[event], reason),
    refusals,
  });
}

/**
 * Returns the audit entry of a governed record. Its operation is the kind and the change, such as
 * `authority.drafted`.
 */
export function entryOf(
  kind: GovernedKind,
  { uid, key, version, bodyHash: hash }: GovernedRecord,
  what: string,
  reason?: string,
): Entry {
  return {
    op: `${kind.kind}.${what}`,
    subject: { type: kind.kind, uid, version },
    details: { key, hash, ...(reason === undefined ? {} : { reason }) },
  };
}

function end(record: GovernedRecord, { reason, by, now }: { reason: string; by: string; now: Date }): void {
  Object.assign(record, { state: 'ended', endedAt: now, endedByUid: by, endReason: reason });
}

async function followUp(
  em: Em,
  kind: GovernedKind,
  record: GovernedRecord,
  { event, now }: { event: GovernedEvent; now: Date },
): Promise<void> {
  if (event === 'submit' || event === 'withdraw') return;
  await kind.changed?.(em, record, now);
}
