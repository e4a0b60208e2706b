import { sql } from 'kysely';
import { sha256 } from '#lib/core/seal.ts';
import { environments, type Em, type Tenant } from '#lib/database/base.ts';
import { defineCommand, type WholeWorkspace } from '#lib/governance/command.ts';
import { Person } from '../person.entity.ts';
import { endSessions } from './session.write.ts';

/**
 * The person, and the secret of the session that closes with its workspace and environment. Without them, an operator ends
 * the sessions of the person in the whole workspace.
 */
type Input = { person: string } & (
  | { session: string; tenant: Tenant; everywhere: boolean }
  | { session?: undefined; tenant?: undefined; everywhere: true }
);

/** Closes a session of the console or, with `everywhere`, all sessions of its person in both environments. */
export const closeConsoleSession = defineCommand<Input>()({
  find: async (em, { person, tenant }): Promise<Tenant | WholeWorkspace | undefined> =>
    tenant ?? (await placeOf(em, person)),
  unknown: 'person_unknown',
  lock: async () => undefined,
  facts: async (_em, _locked, { person }) => ({ person }),
  decide: () => ({ ok: true as const }),
  async write(em, _facts, _verdict, { input: { session, person, tenant, everywhere }, now }) {
    if (everywhere) {
      // Row-level security shows the sessions of one environment at a time, except to an operator.
      const seen = tenant ? [...environments, tenant.environment] : [];
      if (!tenant) await endSessions(em, person, { now });
      for (const environment of seen) {
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
  refusals: { person_unknown: ({ person }) => `The person ${person} does not exist.` },
});

async function placeOf(em: Em, person: string): Promise<WholeWorkspace | undefined> {
  const found = await em.findOne(Person, { uid: person }, { filters: false });
  return found ? { workspace: found.workspaceUid } : undefined;
}
