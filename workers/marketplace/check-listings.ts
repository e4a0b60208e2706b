import { systemClock } from '#lib/core/clock.ts';
import type { Orm } from '#lib/database/base.ts';
import { inPlatform, inTenant } from '#lib/database/orm.ts';
import { govern } from '#lib/governance/govern.ts';
import { decideRevocation } from '#lib/marketplace/listing.ts';
import { certifiedListings } from '#lib/marketplace/listing.query.ts';
import { revokeCertification } from '#lib/marketplace/revoke-certification.command.ts';
import { currentSubject } from '#lib/marketplace/subject.query.ts';

/**
 * Revokes the certifications of listings whose items have changed, one listing per transaction. Returns the number of
 * revoked certifications.
 */
export async function checkListings(orm: Orm, now = systemClock.now()): Promise<number> {
  let revoked = 0;
  for (const listing of await inPlatform(orm, certifiedListings)) {
    const tenant = { workspace: listing.publisherUid, environment: listing.environment };
    const subject = await inTenant(orm, tenant, (em) => currentSubject(em, listing));
    if (!decideRevocation(listing, subject).ok) continue;
    const request = { actor: { kind: 'system' as const }, clock: { now: () => now } };
    const { ok } = await govern(orm, revokeCertification, { uid: listing.uid }, request);
    if (ok) revoked += 1;
  }
  return revoked;
}
