import { sql } from 'kysely';
import type { Static, TSchema } from 'typebox';
import type { Em, Tenant } from '#lib/database/base.ts';
import { defineCommand, personOf } from '../command.ts';
import { entryOf } from './change-record.command.ts';
import { readDraft, type ReadDraft } from './draft.ts';
import type { GovernedRecord } from './governed-record.entity.ts';
import { lockVersions, writeDraft } from './governed-record.write.ts';
import type { BodyFault, GovernedKind } from './kind.ts';

export type RecordDraft = {
  tenant: Tenant;
  /** The key that all versions share, for kinds that do not read it from the body. */
  key?: string | undefined;
  name: string;
  body: unknown;
};

export type DraftVerdict =
  | { ok: true; key: string; body: Record<string, unknown> }
  | { ok: false; code: 'invalid_body'; faults: BodyFault[] };

type Locked = { read: ReadDraft; versions: GovernedRecord[] };
type Facts = Locked & { faults: BodyFault[] };

/** Drafts the next version of a governed record. A draft takes effect only after two persons have approved it. */
export function draftRecord(kind: GovernedKind) {
  return defineCommand<RecordDraft>()({
    find: async (em, { tenant }) => ((await isWorkspace(em, tenant.workspace)) ? tenant : undefined),
    unknown: 'workspace_unknown',
    async lock(em, draft, tenant): Promise<Locked> {
      const read = readDraft(kind, draft);
      return { read, versions: read.ok ? await lockVersions(em, kind, tenant, read.key) : [] };
    },
    async facts(em, { read, versions }, _input, at): Promise<Facts> {
      if (!read.ok) return { read, versions, faults: read.faults };
      const { place: tenant, now } = at;
      const known = { tenant, key: read.key, now, by: personOf(at) };
      const faults = await kind.check?.(em, read.body as Static<TSchema>, known);
      return { read, versions, faults: faults ?? [] };
    },
    decide({ read, faults }): DraftVerdict {
      return read.ok && !faults.length ? read : { ok: false, code: 'invalid_body', faults };
    },
    async write(em, { versions }, { key, body }, { input, place: tenant, now, actor }) {
      const { name } = input;
      const draft = { tenant, key, name, body, by: personOf({ actor }), now };
      return { result: await writeDraft(em, kind, versions, draft) };
    },
    entry: (_facts, _verdict, _input, record?: GovernedRecord) => record && entryOf(kind, record, 'drafted'),
    refusals: {
      workspace_unknown: 'The workspace does not exist.',
      invalid_body: 'The terms of the record are not valid.',
    },
  });
}

async function isWorkspace(em: Em, uid: string): Promise<boolean> {
  const { rows } = await sql`select from workspace where uid = ${uid}`.execute(em.getKysely());
  return rows.length === 1;
}
