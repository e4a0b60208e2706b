import { sql } from 'kysely';
import type { Orm } from '#lib/database/base.ts';
import { inPlatform } from '#lib/database/orm.ts';

/**
 * Deletes request counters whose quota is fully available again, failed attempts that no longer count, and
 * tokens, sign-in links, challenges of passkeys and sessions of the console that ended more than a day ago. Sign-ins at
 * the identity provider are deleted as well, refused ones after 30 days.
 */
export async function forgetAccess(orm: Orm): Promise<void> {
  await inPlatform(orm, async (em) => {
    await sql`select forget_counts()`.execute(em.getKysely());
    await sql`delete from access_token where expires_at < now() - interval '1 day'`.execute(em.getKysely());
    await sql`delete from console_link where expires_at < now() - interval '1 day'`.execute(em.getKysely());
    await sql`delete from passkey_challenge where expires_at < now() - interval '1 day'`.execute(
      em.getKysely(),
    );
    await sql`delete from oidc_flow
      where expires_at < now() - interval '1 day' and (refused_as is null or expires_at < now() - interval '30 days')
    `.execute(em.getKysely());
    await sql`delete from console_session where ends_at < now() - interval '1 day'`.execute(em.getKysely());
  });
}
