import { defineEntity, p } from '@mikro-orm/core';
import type { Environment } from '#lib/database/base.ts';
import type { CertificationStatus, ListingKind, ListingState } from './listing.ts';
import type { Offer, Price } from './listing.schema.ts';

const MarketListingSchema = defineEntity({
  name: 'MarketListing',
  properties: {
    uid: p.text().primary(),
    /** The workspace that offers the item. */
    publisherUid: p.text(),
    publisherName: p.text(),
    /** Whether the publisher had an application with approved production access when the listing was published. */
    isPublisherVerified: p.boolean(),
    /** The environment in which the item exists and in which readers see the listing. */
    environment: p.text().$type<Environment>().fieldName('shown_in'),
    kind: p.text().$type<ListingKind>(),
    key: p.text(),
    version: p.text(),
    /** The key of a library workflow. For items of other kinds, the uid of the record. */
    subject: p.text(),
    digest: p.text(),
    title: p.text(),
    description: p.text(),
    words: p.array(),
    price: p.json<Price>().nullable(),
    offer: p.json<Offer>().nullable(),
    requiredScopes: p.array(),
    requiredEntitlements: p.array(),
    certification: p.text().$type<CertificationStatus>(),
    evidenceHash: p.text().nullable(),
    evidenceUid: p.text().nullable(),
    certificationRevokedAt: p.datetime().nullable(),
    state: p.text().$type<ListingState>(),
    proposedByUid: p.text(),
    approvedByUid: p.text().nullable(),
    createdAt: p.datetime(),
    publishedAt: p.datetime().nullable(),
    endedAt: p.datetime().nullable(),
  },
});

/** A listing: one version of an item that a workspace offers. The digest identifies the content of this version. */
export class MarketListing extends MarketListingSchema.class {}
MarketListingSchema.setClass(MarketListing);
