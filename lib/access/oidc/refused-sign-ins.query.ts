import { sql } from 'kysely';
import type { Em, Environment } from '#lib/database/base.ts';

/** The largest number of refused sign-ins that are returned. */
const REFUSED_MAX = 100;

/** A sign-in at the identity provider that opened no session. */
export type RefusedSignIn = {
  at: Date;
  environment: Environment;
  code: string;
  /** The identity that the provider proved; null if it proved none. */
  issuer: string | null;
  subject: string | null;
};

type Row = Omit<RefusedSignIn, 'at'> & { used_at: string };

/** Returns the newest refused sign-ins of the deployment, newest first. They are kept for 30 days. */
export async function refusedSignIns(em: Em): Promise<RefusedSignIn[]> {
  const { rows } = await sql<Row>`
    select used_at, session_environment as environment, refused_as as code, issuer, subject from oidc_flow
    where refused_as is not null order by used_at desc limit ${REFUSED_MAX}
  `.execute(em.getKysely());
  return rows.map(({ used_at, ...row }) => ({ at: new Date(used_at), ...row }));
}
