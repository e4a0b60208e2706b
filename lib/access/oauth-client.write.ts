import { timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { sha256 } from '#lib/core/seal.ts';
import type { Environment, Em } from '#lib/database/base.ts';
import type { Application } from './application.entity.ts';
import { OAuthClient } from './oauth-client.entity.ts';
import { newClientSecret } from './oauth-client.ts';

/** Creates a client for an application. Only the return value contains the secret: the record stores its hash. */
export function issueClient(em: Em, application: Application, issuedBy: string, now: Date) {
  const secret = newClientSecret();
  const client = em.create(OAuthClient, {
    uid: newUid(prefixes.oauthClient),
    workspaceUid: application.workspaceUid,
    environment: application.environment,
    applicationUid: application.uid,
    secretHash: sha256(secret),
    secretVersion: 1,
    issuedByUid: issuedBy,
    createdAt: now,
  });
  return { client, secret };
}

/**
 * Gives a client a new secret, and returns the secret. The old secret and all tokens issued with it become
 * invalid when the transaction commits.
 */
export function rotateSecret(client: OAuthClient, rotatedBy: string, now: Date): string {
  const secret = newClientSecret();
  client.secretHash = sha256(secret);
  client.secretVersion += 1;
  client.rotatedAt = now;
  client.rotatedByUid = rotatedBy;
  return secret;
}

export type IdentifiedClient = {
  uid: string;
  secretVersion: number;
  application: string;
  workspace: string;
  environment: Environment;
  status: string;
  hasProductionAccess: boolean;
  scopes: string[];
  entitlements: string[];
  /** Whether the workspace is being moved to another cell or has been moved, and the address of that cell. */
  move: { state: 'moving' | 'moved'; address: string } | undefined;
};

type Row = {
  secret_hash: string;
  secret_version: number;
  revoked: boolean;
  application_uid: string;
  workspace_uid: string;
  environment: Environment;
  status: string;
  production_state: string | null;
  scopes: string[];
  entitlements: string[];
};

/**
 * A placeholder hash. The secret that is sent for an unknown client id is compared with this hash, so that an
 * unknown id takes as long as a wrong secret.
 */
const NOBODY = sha256('nobody');

/**
 * Returns the client with this id if the secret is its current secret and the client is not revoked. An unknown id
 * takes as long as a wrong secret.
 */
export async function identifyClient(
  em: Em,
  id: string,
  secret: string,
): Promise<IdentifiedClient | undefined> {
  const { rows } = await sql<Row>`select * from identify_client(${id})`.execute(em.getKysely());
  const [row] = rows;
  const isRight = timingSafeEqual(Buffer.from(row?.secret_hash ?? NOBODY), Buffer.from(sha256(secret)));
  if (!row || !isRight || row.revoked) return undefined;
  const moves = await sql<NonNullable<IdentifiedClient['move']>>`
    select state, address from workspace_move where workspace_uid = ${row.workspace_uid}
  `.execute(em.getKysely());
  return {
    uid: id,
    secretVersion: row.secret_version,
    application: row.application_uid,
    workspace: row.workspace_uid,
    environment: row.environment,
    status: row.status,
    hasProductionAccess: row.environment === 'sandbox' || row.production_state === 'approved',
    scopes: row.scopes,
    entitlements: row.entitlements,
    move: moves.rows[0],
  };
}

/** Returns the clients of an application, in order of creation. For operators: reads all workspaces. */
export function listClients(em: Em, application: string): Promise<OAuthClient[]> {
  return em.find(OAuthClient, { applicationUid: application }, { filters: false, orderBy: { uid: 'asc' } });
}
