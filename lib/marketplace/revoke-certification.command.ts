import { defineCommand } from '#lib/governance/command.ts';
import { entryOf } from './listing-entry.ts';
import { decideRevocation } from './listing.ts';
import { lockListing, placeOfListing } from './listing.query.ts';
import { currentSubject } from './subject.query.ts';

type Input = { uid: string };

/** Revokes the certification of a listing if its item no longer has the digest that was certified. */
export const revokeCertification = defineCommand<Input>()({
  find: (em, { uid }) => placeOfListing(em, uid),
  unknown: 'listing_unknown',
  lock: (em, { uid }) => lockListing(em, uid),
  facts: async (em, listing) => ({ listing, subject: await currentSubject(em, listing) }),
  decide: ({ listing, subject }) => decideRevocation(listing, subject),
  async write(_em, { listing }, _verdict, { now }) {
    Object.assign(listing, {
      certification: 'none',
      evidenceHash: null,
      evidenceUid: null,
      certificationRevokedAt: now,
    });
    return { result: listing };
  },
  entry: ({ listing }, verdict) => (verdict.ok ? entryOf('certification_revoked', listing) : undefined),
  refusals: {
    listing_unknown: 'The listing does not exist.',
    certification_valid:
      'The item still has the digest that was certified, or the listing has no certification.',
  },
});
