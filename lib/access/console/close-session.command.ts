import { sql } from 'kysely';
import { sha256 } from '#lib/core/seal.ts';
import type { Tenant } from '#lib/database/base.ts';
import { defineCommand } from '#lib/governance/command.ts';

/** The secret of an open session, its person, and its workspace and environment. */
type Input = { session: string; person: string; tenant: Tenant };

/** Closes a session of the console. */
export const closeConsoleSession = defineCommand<Input>()({
  find: async (_em, { tenant }) => tenant,
  lock: async () => undefined,
  facts: async (_em, _locked, { person }) => ({ person }),
  decide: () => ({ ok: true as const }),
  async write(em, _facts, _verdict, { input: { session }, now }) {
    await sql`
      update console_session set ended_at = ${now} where session_hash = ${sha256(session)} and ended_at is null
    `.execute(em.getKysely());
    return { result: {} };
  },
  entry: ({ person }) => ({ op: 'person.signed_out', subject: { type: 'person', uid: person } }),
  refusals: {},
});
