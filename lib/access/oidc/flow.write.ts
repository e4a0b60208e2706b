import { sql } from 'kysely';
import { sha256 } from '#lib/core/seal.ts';
import type { Em, Environment } from '#lib/database/base.ts';
import { pageAfterSignIn } from '../console/page-after-sign-in.ts';
import { newConsoleSecret } from '../console/session-secret.ts';
import { FLOW_MINUTES } from './flow.ts';

/** The wish of a person who begins to sign in: the environment, and the page of the console to show afterwards. */
export type FlowWish = { environment: Environment; page: string | undefined };

/** A flow that a browser began and that has not ended. */
export type Flow = { environment: Environment; page: string };

/** Records that a browser begins a flow. Returns its secret, of which only the hash is stored. */
export async function beginFlow(em: Em, { environment, page }: FlowWish, now: Date): Promise<string> {
  const secret = newConsoleSecret();
  const expiresAt = new Date(now.getTime() + FLOW_MINUTES * 60_000);
  await sql`
    insert into oidc_flow (flow_hash, session_environment, page, created_at, expires_at)
    values (${sha256(secret)}, ${environment}, ${pageAfterSignIn(page)}, ${now}, ${expiresAt})
  `.execute(em.getKysely());
  return secret;
}

/** Ends a flow, so that no further answer of the provider is accepted for it. Returns undefined if it is not open. */
export async function endFlow(em: Em, secret: string, now: Date): Promise<Flow | undefined> {
  const { rows } = await sql<Flow>`
    update oidc_flow set used_at = ${now}
    where flow_hash = ${sha256(secret)} and used_at is null and expires_at > ${now}
    returning session_environment as environment, page
  `.execute(em.getKysely());
  return rows[0];
}

/** Records that a flow opened no session, with the identity if the provider proved one. */
export async function recordRefusal(
  em: Em,
  secret: string,
  { code, identity }: { code: string; identity?: { issuer: string; subject: string } | undefined },
): Promise<void> {
  await sql`
    update oidc_flow
    set refused_as = ${code}, issuer = ${identity?.issuer ?? null}, subject = ${identity?.subject ?? null}
    where flow_hash = ${sha256(secret)}
  `.execute(em.getKysely());
}
