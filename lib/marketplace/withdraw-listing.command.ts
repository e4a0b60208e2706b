import { defineCommand } from '#lib/governance/command.ts';
import { entryOf } from './listing-entry.ts';
import { decideWithdrawal } from './listing.ts';
import { lockListing, placeOfListing } from './listing.query.ts';

type Input = { uid: string };

/** Withdraws a listing permanently. Workspaces that already use the item are not affected. */
export const withdrawListing = defineCommand<Input>()({
  find: (em, { uid }) => placeOfListing(em, uid),
  unknown: 'listing_unknown',
  lock: (em, { uid }) => lockListing(em, uid),
  facts: async (_em, listing) => listing,
  decide: ({ state }) => decideWithdrawal(state),
  async write(_em, listing, { next }, { now }) {
    listing.state = next;
    listing.endedAt ??= now;
    return { result: listing };
  },
  entry: (listing, verdict) => (verdict.ok ? entryOf('withdrawn', listing) : undefined),
  refusals: {
    listing_unknown: 'The listing does not exist.',
    transition_not_allowed: 'The listing is withdrawn already.',
  },
});
