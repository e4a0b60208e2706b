import type { Entry } from '#lib/governance/command.ts';
import type { MarketListing } from './market-listing.entity.ts';

/** Returns the audit entry of a change of a listing. */
export function entryOf(
  what: 'proposed' | 'published' | 'withdrawn' | 'certification_revoked',
  { uid, kind, key, version, digest, certification }: MarketListing,
): Entry {
  return {
    op: `marketplace.${what}`,
    subject: { type: 'market_listing', uid },
    afterHash: digest,
    details: { kind, key, version, certification },
  };
}

/** The texts of the refusals that concern the offered item. */
export const itemRefusals = {
  subject_unknown: 'The workspace has no such item.',
  digest_unpublished: 'The item is not approved, or has no content or licence yet.',
  redistribution_denied: 'The data entitlements of the dataset do not permit its redistribution.',
  case_failed: 'The policy does not pass its own cases.',
  evidence_unsealed: 'There is no sealed evaluation or evidence pack with this hash.',
} as const;
