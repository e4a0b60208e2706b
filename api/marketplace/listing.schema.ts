import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, ListOf, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { certificationStatuses } from '#lib/marketplace/listing.ts';
import {
  Description,
  ListingKey,
  ListingKind,
  ListingVersion,
  Offer,
  Price,
  RequiredEntitlements,
  RequiredScopes,
  Title,
} from '#lib/marketplace/listing.schema.ts';

const none = (description: string) =>
  Type.Array(Type.String({ maxLength: 64 }), { maxItems: 0, description });

const members = {
  uid: Uid(prefixes.marketListing, 'The listing.'),
  key: ListingKey,
  kind: ListingKind,
  title: Title,
  publisher: Closed(
    {
      uid: Uid(prefixes.workspace, 'The workspace that offers the item.'),
      name: Type.String({
        minLength: 1,
        description: 'The name of the workspace.',
        examples: ['Example Bank'],
      }),
      verified: Type.Boolean({
        description:
          'Whether two persons had approved production access of an application of the publisher when the listing was published.',
      }),
    },
    { description: 'The publisher.' },
  ),
  version: ListingVersion,
  digest: Sha256Of('SHA-256 of the offered content. A listing is about this content only.'),
  price: Nullable(Price, 'The price, for information. Null if the publisher states none.'),
  required_scopes: RequiredScopes,
  required_entitlements: RequiredEntitlements,
  entitled: Type.Boolean({
    description:
      'Whether the application holds all required scopes and its workspace may read all required datasets.',
  }),
  certification: Nullable(
    Closed(
      {
        status: Type.Enum([...certificationStatuses], {
          description:
            'The evidence that supports the listing: none, a statement of the publisher, or a sealed evaluation or evidence pack of this service.',
        }),
        evidence_hash: Nullable(Sha256Of('The evidence.'), 'Hash of the evidence. Null if there is none.'),
        revoked_at: Nullable(
          InstantOf('The time.'),
          'The time at which the certification was revoked, because the item had changed. Null if the certification was not revoked.',
        ),
      },
      { description: 'The certification.' },
    ),
    'The certification. Null if the publisher never claimed one.',
  ),
  status: Type.Enum(['published', 'superseded'], {
    description: 'Whether the listing is current. A listing is superseded by a newer version of its key.',
  }),
  grants: Closed(
    {
      scopes: none('Always empty: a listing grants no scope.'),
      authority: none('Always empty: a listing grants no authority.'),
    },
    { description: 'Rights that the listing grants: none.' },
  ),
  published_at: InstantOf('The time at which a second person approved the listing.'),
};

export const Listing = Closed(members, { title: 'MarketListing', description: 'A listing.' });

export const ListingPage = ListOf(Listing);

export const ListingDetails = Closed(
  {
    ...members,
    description: Description,
    offer: Nullable(Offer, 'The entitlement that the publisher of a dataset offers. Null for other kinds.'),
  },
  { title: 'MarketListingDetails', description: 'A listing with its description.' },
);
