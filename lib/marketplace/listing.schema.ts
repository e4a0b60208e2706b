import Type, { type Static } from 'typebox';
import { Closed, Line, Nullable, Sha256Of } from '#lib/core/schema.ts';
import { scopes } from '#lib/core/scope.ts';
import { listingKinds } from './listing.ts';

export const ListingKind = Type.Enum([...listingKinds], { description: 'The kind of the offered item.' });

export const ListingKey = Type.String({
  pattern: '^[a-z0-9][a-z0-9-]{1,63}$',
  description: 'The key of the listing, 2 to 64 lower-case letters, digits and hyphens.',
  examples: ['month-end-themes'],
});

export const ListingVersion = Type.String({
  pattern: '^[0-9]{1,6}([.][0-9]{1,6}){0,2}$',
  description: 'The version of the listing.',
  examples: ['1.0.0'],
});

export const Price = Closed(
  {
    model: Type.Enum(['free', 'flat', 'usage'], { description: 'How the publisher charges for the item.' }),
    currency: Nullable(
      Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.', examples: ['EUR'] }),
      'The currency of the amount. Null if the item is free.',
    ),
    amount_minor: Nullable(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Minor units.',
        examples: [1_500],
      }),
      'The amount in minor units. Null if the item is free.',
    ),
  },
  { description: 'The price, for information. The marketplace sells nothing.' },
);
export type Price = Static<typeof Price>;

export const Offer = Closed(
  {
    actions: Type.Array(Type.Enum(['read', 'derive', 'display', 'export', 'train', 'redistribute']), {
      minItems: 1,
      maxItems: 6,
      uniqueItems: true,
      description: 'The actions that an entitlement would permit.',
    }),
    licence_hash: Sha256Of('SHA-256 of the licence text.'),
  },
  {
    description: 'The entitlement that the publisher offers. The operator grants it outside the marketplace.',
  },
);
export type Offer = Static<typeof Offer>;

export const RequiredScopes = Type.Array(Type.Enum([...scopes]), {
  maxItems: 60,
  uniqueItems: true,
  description: 'The scopes that an application needs to use the item.',
});

export const RequiredEntitlements = Type.Array(
  Type.String({
    pattern: '^dst_[0-7][0-9A-HJKMNP-TV-Z]{25}$',
    description: 'A dataset.',
    examples: ['dst_01K8XQ5W3ZJ6T9R2M4N7P0QABC'],
  }),
  { maxItems: 50, uniqueItems: true, description: 'The datasets that a workspace must be entitled to read.' },
);

export const Title = Line(200, 'The title, 1 to 200 characters.', 'Month-end factor report');
export const Description = Line(
  2_000,
  'Description of the item, 1 to 2,000 characters.',
  'Seals the theme factors.',
);

/** The content of a listing file. */
export const ListingFile = Closed({
  kind: ListingKind,
  key: ListingKey,
  version: ListingVersion,
  subject: Type.String({ minLength: 1, maxLength: 80 }),
  title: Title,
  description: Description,
  price: Type.Optional(Price),
  offer: Type.Optional(Offer),
  required_scopes: Type.Optional(RequiredScopes),
  required_entitlements: Type.Optional(RequiredEntitlements),
  certification: Type.Optional(
    Closed({
      status: Type.Enum(['self_declared', 'evaluated']),
      evidence_hash: Sha256Of('SHA-256 of the evidence.'),
    }),
  ),
});
export type ListingFile = Static<typeof ListingFile>;
