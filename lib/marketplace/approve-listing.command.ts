import { ProductionAccess } from '#lib/access/production-access.entity.ts';
import { defineCommand, personOf } from '#lib/governance/command.ts';
import { entryOf, itemRefusals } from './listing-entry.ts';
import { decideApproval } from './listing.ts';
import { lockListing, placeOfListing } from './listing.query.ts';
import { MarketListing } from './market-listing.entity.ts';
import { findEvidence, offeredSubject } from './subject.query.ts';

type Input = { uid: string };

/** Publishes a proposed listing. The listing supersedes the version of the same key that was published before. */
export const approveListing = defineCommand<Input>()({
  find: (em, { uid }) => placeOfListing(em, uid),
  unknown: 'listing_unknown',
  lock: (em, { uid }) => lockListing(em, uid),
  async facts(em, listing, _input, { place, now }) {
    const { evidenceHash } = listing;
    return {
      listing,
      subject: await offeredSubject(em, listing, now),
      evidence: evidenceHash == null ? null : await findEvidence(em, listing, evidenceHash),
      isVerified:
        (await em.count(
          ProductionAccess,
          { workspaceUid: place.workspace, state: 'approved' },
          { filters: false },
        )) > 0,
    };
  },
  decide({ listing, subject, evidence }, _input, at) {
    const { state, digest, proposedByUid: proposedBy, certification: status } = listing;
    const claim = { status, evidence };
    return decideApproval({ state, digest, proposedBy }, { subject, claim, person: personOf(at) });
  },
  async write(em, { listing, isVerified }, { next }, at) {
    const { publisherUid, environment, key } = listing;
    await em.nativeUpdate(
      MarketListing,
      { publisherUid, environment, key, state: 'published' },
      { state: 'superseded', endedAt: at.now },
    );
    Object.assign(listing, {
      state: next,
      approvedByUid: personOf(at),
      isPublisherVerified: isVerified,
      publishedAt: at.now,
    });
    return { result: listing };
  },
  entry: ({ listing }, verdict) => (verdict.ok ? entryOf('published', listing) : undefined),
  refusals: {
    ...itemRefusals,
    listing_unknown: 'The listing does not exist.',
    transition_not_allowed: 'The state of the listing does not allow this change.',
    second_person_required: 'The person who proposed a listing cannot approve it.',
    digest_changed: 'The item has changed since the proposal. Propose a new version.',
  },
});
