import Type, { type Static } from 'typebox';
import { Closed, pageQuery } from '#lib/core/schema.ts';
import {
  findListing,
  listListings as readListings,
  type FoundListing,
} from '#lib/marketplace/listing.query.ts';
import { ListingKind } from '#lib/marketplace/listing.schema.ts';
import { listReply } from '../http/page.ts';
import { defineOperation } from '../services.ts';
import { Listing, ListingDetails, ListingPage } from './listing.schema.ts';

const PATH = '/marketplace/listings';

export const listListings = defineOperation({
  key: 'marketplace.listings.list',
  product: 'Marketplace',
  method: 'GET',
  path: PATH,
  scope: 'marketplace:read',
  summary: 'Lists the published listings of the environment, newest first.',
  description:
    'A listing offers one version of a workflow, dataset, model, connector or policy template by its digest. Two ' +
    'persons of the publisher propose and approve it with the operator CLI. A listing grants nothing, and nothing is ' +
    'bought or installed here.',
  query: Closed({
    ...pageQuery,
    kind: Type.Optional(ListingKind),
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description:
          'Search words, 1 to 100 characters. Each must be the start of a word in the title, key or description.',
        examples: ['month fact'],
      }),
    ),
    entitled: Type.Optional(
      Type.Boolean({ description: 'Returns only listings that the caller is, or is not, entitled to use.' }),
    ),
  }),
  success: { status: 200, description: 'A page of listings.', schema: ListingPage },
  problems: ['invalid_cursor'],
  handle({ services, caller, query }) {
    const { kind, q, entitled } = query;
    const asked = { filter: { kind, q, entitled }, rights: caller, environment: caller.environment };
    return listReply(services, query, {
      list: PATH,
      filters: { kind: kind ?? null, q: q ?? null, entitled: entitled ?? null },
      rows: (em, page) => readListings(em, asked, page),
      present,
    });
  },
});

export const getListing = defineOperation({
  key: 'marketplace.listings.get',
  product: 'Marketplace',
  method: 'GET',
  path: '/marketplace/listings/{uid}',
  scope: 'marketplace:read',
  addition: true,
  summary: 'Returns a listing with its description.',
  description:
    'Returns a published listing, or one that a newer version superseded. A withdrawn listing is not found. Reading a ' +
    'listing changes nothing.',
  success: { status: 200, description: 'The listing.', schema: ListingDetails },
  problems: ['not_found'],
  async handle({ services, caller, params, fail }) {
    const found = await services.query(findListing, params.uid, {
      rights: caller,
      environment: caller.environment,
    });
    if (!found) return fail('not_found', 'The listing does not exist.');
    const { description, offer } = found.listing;
    return { status: 200, body: { ...present(found), description, offer: offer ?? null } };
  },
});

function present({ listing, isEntitled }: FoundListing): Static<typeof Listing> {
  const { certification: status, certificationRevokedAt: revokedAt } = listing;
  return {
    uid: listing.uid,
    key: listing.key,
    kind: listing.kind,
    title: listing.title,
    publisher: {
      uid: listing.publisherUid,
      name: listing.publisherName,
      verified: listing.isPublisherVerified,
    },
    version: listing.version,
    digest: listing.digest,
    price: listing.price ?? null,
    required_scopes: listing.requiredScopes as Static<typeof Listing>['required_scopes'],
    required_entitlements: listing.requiredEntitlements,
    entitled: isEntitled,
    certification:
      status === 'none' && revokedAt == null
        ? null
        : {
            status,
            evidence_hash: listing.evidenceHash ?? null,
            revoked_at: revokedAt?.toISOString() ?? null,
          },
    status: listing.state === 'superseded' ? 'superseded' : 'published',
    grants: { scopes: [], authority: [] },
    published_at: listing.publishedAt!.toISOString(),
  };
}
