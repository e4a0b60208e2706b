import { sql, type RawBuilder } from 'kysely';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { sha256 } from '#lib/core/seal.ts';
import { tenantOf, type Em, type Tenant } from '#lib/database/base.ts';
import { applicationUnknown, placeOfApplication } from './application.query.ts';
import { newAccessToken } from './access-token.ts';

export type NewToken = {
  client: string;
  secretVersion: number;
  scopes: readonly string[];
  lifetimeS: number;
  now: Date;
};

/** Issues a token to a client. Only the return value contains the token: the record stores its hash. */
export async function issueToken(em: Em, input: NewToken): Promise<string> {
  const token = newAccessToken();
  const { workspace, environment } = tenantOf(em);
  await sql`
    insert into access_token (token_hash, uid, workspace_uid, environment, client_uid, secret_version, scopes,
      issued_at, expires_at)
    values (${sha256(token)}, ${newUid(prefixes.accessToken)}, ${workspace}, ${environment}, ${input.client},
      ${input.secretVersion}, ${[...input.scopes]}::text[], ${input.now},
      ${new Date(input.now.getTime() + input.lifetimeS * 1_000)})
  `.execute(em.getKysely());
  return token;
}

export type TokenRecord = {
  uid: string;
  client: string;
  application: string;
  scopes: string[];
  issuedAt: Date;
  expiresAt: Date;
  isActive: boolean;
};

type Row = Omit<TokenRecord, 'issuedAt' | 'expiresAt'> & { issued_at: string; expires_at: string };

/**
 * Returns a token of the tenant and whether it is active. A token is active if it has neither expired nor been revoked,
 * if its application is active, and if its client is not revoked and still has the secret for which the token was
 * issued.
 */
export async function findToken(em: Em, token: string, now: Date): Promise<TokenRecord | undefined> {
  const [found] = await readTokens(em, sql`t.token_hash = ${sha256(token)}`, now);
  return found;
}

/**
 * Returns the unexpired tokens of an application, in order of issue. Throws the refusal
 * `application_unknown`. For operators: reads all workspaces.
 */
export async function listTokens(em: Em, application: string, now: Date): Promise<TokenRecord[]> {
  if (!(await placeOfApplication(em, application))) {
    throw new Refusal('application_unknown', applicationUnknown({ application }));
  }
  return readTokens(em, sql`c.application_uid = ${application} and t.expires_at > ${now}`, now);
}

async function readTokens(em: Em, condition: RawBuilder<unknown>, now: Date): Promise<TokenRecord[]> {
  const { rows } = await sql<Row>`
    select t.uid, t.client_uid as client, c.application_uid as application, t.scopes, t.issued_at, t.expires_at,
      t.revoked_at is null and t.expires_at > ${now} and c.revoked_at is null and t.secret_version = c.secret_version
        and a.status = 'active' as "isActive"
    from access_token t join oauth_client c on c.uid = t.client_uid join application a on a.uid = c.application_uid
    where ${condition} order by t.uid
  `.execute(em.getKysely());
  return rows.map(({ issued_at, expires_at, ...row }) => ({
    ...row,
    issuedAt: new Date(issued_at),
    expiresAt: new Date(expires_at),
  }));
}

/**
 * Returns the workspace and environment of a token. Returns undefined if the token does not exist or was
 * revoked. For operators: reads all workspaces.
 */
export async function placeOfLiveToken(em: Em, uid: string): Promise<Tenant | undefined> {
  const { rows } = await sql<Tenant>`
    select workspace_uid as workspace, environment from access_token where uid = ${uid} and revoked_at is null
  `.execute(em.getKysely());
  return rows[0];
}

/** Locks a token. Returns whether the token exists and has not been revoked. */
export async function lockLiveToken(em: Em, uid: string): Promise<boolean> {
  const { rows } = await sql`
    select from access_token where uid = ${uid} and revoked_at is null for update
  `.execute(em.getKysely());
  return rows.length > 0;
}

/** Revokes a token, by its uid. */
export async function revokeToken(em: Em, uid: string, now: Date): Promise<void> {
  await sql`update access_token set revoked_at = ${now} where uid = ${uid}`.execute(em.getKysely());
}
