import { sql } from 'kysely';
import { sha256 } from '#lib/core/seal.ts';
import { environments, type Tenant } from '#lib/database/base.ts';
import { defineCommand } from '#lib/governance/command.ts';
import { endSessions } from './session.write.ts';

/** The secret of an open session, its person, and its workspace and environment. */
type Input = { session: string; person: string; tenant: Tenant; everywhere: boolean };

/** Closes a session of the console or, with `everywhere`, all sessions of its person in both environments. */
export const closeConsoleSession = defineCommand<Input>()({
  find: async (_em, { tenant }) => tenant,
  lock: async () => undefined,
  facts: async (_em, _locked, { person }) => ({ person }),
  decide: () => ({ ok: true as const }),
  async write(em, _facts, _verdict, { input: { session, person, tenant, everywhere }, now }) {
    if (everywhere) {
      // Row-level security shows the sessions of one environment at a time.
      for (const environment of [...environments, tenant.environment]) {
        await sql`select set_config('app.environment', ${environment}, true)`.execute(em.getKysely());
        await endSessions(em, person, { now });
      }
      return { result: {} };
    }
    await sql`
      update console_session set ended_at = ${now} where session_hash = ${sha256(session)} and ended_at is null
    `.execute(em.getKysely());
    return { result: {} };
  },
  entry: ({ person }, _verdict, { everywhere }) => ({
    op: 'person.signed_out',
    subject: { type: 'person', uid: person },
    details: { everywhere },
  }),
  refusals: {},
});
