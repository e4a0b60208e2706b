import { sql } from 'kysely';
import { sha256 } from '#lib/core/seal.ts';
import type { Em, Environment, ServiceClass } from '#lib/database/base.ts';
import { IDLE_MINUTES, type SessionProof } from './session.ts';

/** An open session of the console, with its person, workspace and environment. */
export type ConsoleSession = {
  person: { uid: string; name: string; roles: readonly string[] };
  workspace: { uid: string; name: string; serviceClass: ServiceClass; entitlements: readonly string[] };
  environment: Environment;
  proof: SessionProof;
  endsAt: Date;
  /** The address of the workspace's new cell, if the workspace has been moved. */
  movedTo?: string | undefined;
};

type Row = {
  person_uid: string;
  person_name: string;
  roles: string[];
  workspace_uid: string;
  workspace_name: string;
  environment: Environment;
  service_class: ServiceClass;
  entitlements: string[];
  proof: SessionProof;
  ends_at: string;
  move_state: 'moving' | 'moved' | null;
  moved_to: string | null;
};

/** Runs one statement outside a transaction. */
export type Ask = (text: string, values: readonly unknown[]) => Promise<unknown[]>;

const IDENTIFY = `
  select person_uid, person_name, roles, workspace_uid, workspace_name, environment, service_class, entitlements,
    proof, ends_at, move_state, moved_to
  from identify_console_call($1, $2, $3)`;

/** Returns the open session with this secret; undefined if there is none or its person is not active. */
export async function findConsoleSession(
  ask: Ask,
  secret: string,
  now: Date,
): Promise<ConsoleSession | undefined> {
  const [found] = (await ask(IDENTIFY, [sha256(secret), now, `${IDLE_MINUTES} minutes`])) as Row[];
  if (!found) return undefined;
  return {
    person: { uid: found.person_uid, name: found.person_name, roles: found.roles },
    workspace: {
      uid: found.workspace_uid,
      name: found.workspace_name,
      serviceClass: found.service_class,
      entitlements: found.entitlements,
    },
    environment: found.environment,
    proof: found.proof,
    endsAt: new Date(found.ends_at),
    ...(found.move_state === 'moved' && { movedTo: found.moved_to! }),
  };
}

/** An open session of a person: how, when and with whose link it was opened, and when it ends at the latest. */
export type OpenSession = {
  environment: Environment;
  proof: SessionProof;
  openedAt: Date;
  seenAt: Date;
  endsAt: Date;
  /** The person who issued the sign-in link that led to the session; null if there is none or nobody was named. */
  linkIssuer: string | null;
};

/** Returns the open sessions of a person that the caller sees, newest first. */
export async function openSessionsOf(em: Em, person: string, now: Date): Promise<OpenSession[]> {
  const idleSince = new Date(now.getTime() - IDLE_MINUTES * 60_000);
  const { rows } = await sql<Readonly<Record<keyof OpenSession, string>>>`
    select environment, proof, opened_at as "openedAt", seen_at as "seenAt", ends_at as "endsAt",
      link_issued_by_uid as "linkIssuer"
    from console_session
    where person_uid = ${person} and ended_at is null and ends_at > ${now} and seen_at > ${idleSince}
    order by opened_at desc
  `.execute(em.getKysely());
  return rows.map(({ environment, proof, openedAt, seenAt, endsAt, linkIssuer }) => ({
    environment: environment as Environment,
    proof: proof as SessionProof,
    openedAt: new Date(openedAt),
    seenAt: new Date(seenAt),
    endsAt: new Date(endsAt),
    linkIssuer,
  }));
}

/** How a session was opened, which decides who can confirm a passkey that its person adds. */
export type SessionOrigin = {
  /** The person who issued the sign-in link that led to the session; null if there is none or nobody was named. */
  linkIssuer: string | null;
  /** Whether the person signed in at the identity provider with an identity that no second person has confirmed. */
  isUnconfirmedIdentity: boolean;
};

/** Returns how the session with this hash was opened. */
export async function sessionOrigin(em: Em, sessionHash: string): Promise<SessionOrigin | undefined> {
  const { rows } = await sql<SessionOrigin>`
    select s.link_issued_by_uid as "linkIssuer",
      s.proof = 'oidc' and coalesce(i.state, '') <> 'confirmed' as "isUnconfirmedIdentity"
    from console_session s left join person_identity i on i.uid = s.identity_uid
    where s.session_hash = ${sessionHash}
  `.execute(em.getKysely());
  return rows[0];
}
