import { sql } from 'kysely';
import { sha256 } from '#lib/core/seal.ts';
import type { Environment, Tenant } from '#lib/database/base.ts';
import { defineCommand } from '#lib/governance/command.ts';
import type { PersonState } from '../person.ts';
import { decideOpening } from './session.ts';
import { openSession } from './session.write.ts';

/** The secret of a sign-in link. */
type Input = { link: string };

type LinkRow = {
  person_uid: string;
  expires_at: string;
  used_at: string | null;
  issued_by_uid: string | null;
  state: PersonState;
};

/** Opens a session of the console with a sign-in link. Only the result contains the secret of the session. */
export const openConsoleSession = defineCommand<Input>()({
  async find(em, { link }): Promise<Tenant | undefined> {
    const { rows } = await sql<{ workspace_uid: string; environment: Environment }>`
      select workspace_uid, environment from place_of_console_link(${sha256(link)})
    `.execute(em.getKysely());
    const [found] = rows;
    return found && { workspace: found.workspace_uid, environment: found.environment };
  },
  unknown: 'link_unknown',
  async lock(em, { link }) {
    const { rows } = await sql<LinkRow>`
      select l.person_uid, l.expires_at, l.used_at, l.issued_by_uid, p.state
      from console_link l join person p on p.uid = l.person_uid
      where l.link_hash = ${sha256(link)} for update of l
    `.execute(em.getKysely());
    return rows[0]!;
  },
  facts: async (_em, row) => ({
    person: row.person_uid,
    linkIssuer: row.issued_by_uid,
    expiresAt: new Date(row.expires_at),
    usedAt: row.used_at === null ? null : new Date(row.used_at),
    personState: row.state,
  }),
  decide: (link, _input, at) => decideOpening(link, at),
  async write(em, { person, linkIssuer }, _verdict, { input: { link }, now, place }) {
    await sql`update console_link set used_at = ${now} where link_hash = ${sha256(link)}`.execute(
      em.getKysely(),
    );
    return { result: await openSession(em, { place, person, proof: 'link', linkIssuer, now }) };
  },
  entry: ({ person, linkIssuer }) => ({
    op: 'person.signed_in',
    subject: { type: 'person', uid: person },
    details: { proof: 'link', link_issued_by: linkIssuer },
  }),
  refusals: {
    link_unknown: 'The sign-in link is not valid.',
    link_used: 'The sign-in link was used before. Ask for a new link.',
    link_expired: 'The sign-in link has expired. Ask for a new link.',
    person_not_active: 'Only an active person can sign in to the console.',
  },
});
