import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { inPlatform } from '#lib/database/orm.ts';
import { wordsOf } from '#lib/marketplace/listing.ts';
import { MarketListing } from '#lib/marketplace/market-listing.entity.ts';
import type { Backend } from './backends.ts';
import { createPerson } from '#lib/access/provision.ts';
import type { Tenancy } from './build.ts';

let made = 0;

/** Creates a published listing of the tenancy, about a workflow. Returns its uid. */
export function createListing(backend: Pick<Backend, 'orm'>, tenancy: Tenancy): Promise<string> {
  const { workspace, environment, person } = tenancy;
  made += 1;
  const number = made;
  return inPlatform(backend.orm('operator'), async (em) => {
    const now = new Date();
    const second = createPerson(em, {
      workspace,
      name: `Approver ${number}`,
      email: `approver${number}.${process.pid}@example.com`,
      roles: ['approver'],
      now,
    });
    await em.flush();
    const uid = newUid(prefixes.marketListing);
    em.create(MarketListing, {
      uid,
      publisherUid: workspace,
      publisherName: 'Publisher',
      isPublisherVerified: false,
      environment,
      kind: 'workflow',
      key: `listing-${number}`,
      version: '1.0.0',
      subject: 'month-end-themes',
      digest: 'ab'.repeat(32),
      title: `Month-end report ${number}`,
      description: 'Seals the theme factors.',
      words: wordsOf(`Month-end report ${number} listing-${number} Seals the theme factors.`),
      price: null,
      offer: null,
      requiredScopes: ['investment:run'],
      requiredEntitlements: [],
      certification: 'none',
      evidenceHash: null,
      evidenceUid: null,
      certificationRevokedAt: null,
      state: 'published',
      proposedByUid: person,
      approvedByUid: second.uid,
      createdAt: now,
      publishedAt: now,
      endedAt: null,
    });
    return uid;
  });
}
