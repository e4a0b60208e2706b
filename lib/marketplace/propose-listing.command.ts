import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { knownPlace, unknownWorkspace } from '#lib/access/known-place.query.ts';
import { Workspace } from '#lib/access/workspace.entity.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { defineCommand, personOf, type Circumstances } from '#lib/governance/command.ts';
import { acquireNamedLock } from '#lib/governance/named-lock.query.ts';
import { entryOf, itemRefusals } from './listing-entry.ts';
import { decideProposal, wordsOf, type Evidence, type Subject } from './listing.ts';
import type { ListingFile } from './listing.schema.ts';
import { MarketListing } from './market-listing.entity.ts';
import { findEvidence, offeredSubject } from './subject.query.ts';

type Input = Tenant & { listing: ListingFile };

type Facts = { subject: Subject; evidence: Evidence; versionExists: boolean; publisherName: string };

/** Proposes a listing. It is shown after another person has approved it. */
export const proposeListing = defineCommand<Input>()({
  find: knownPlace,
  unknown: 'workspace_unknown',
  lock: (em, { listing }, place) =>
    acquireNamedLock(em, 'listing', place.workspace, place.environment, listing.key),
  facts: readFacts,
  decide: ({ subject, evidence, versionExists }, { listing }) =>
    decideProposal(subject, { status: listing.certification?.status ?? 'none', evidence }, versionExists),
  async write(em, { evidence, publisherName }, { digest }, at) {
    const { listing: file, workspace, environment } = at.input;
    const { kind, key, version, subject, title, description, certification } = file;
    const listing = em.create(MarketListing, {
      uid: newUid(prefixes.marketListing),
      publisherUid: workspace,
      publisherName,
      isPublisherVerified: false,
      environment,
      kind,
      key,
      version,
      subject,
      digest,
      title,
      description,
      words: wordsOf(`${title} ${key} ${description}`),
      price: file.price ?? null,
      offer: file.offer ?? null,
      requiredScopes: file.required_scopes ?? [],
      requiredEntitlements: file.required_entitlements ?? [],
      certification: certification?.status ?? 'none',
      evidenceHash: certification?.evidence_hash ?? null,
      evidenceUid: certification?.status === 'evaluated' ? evidence!.uid : null,
      certificationRevokedAt: null,
      state: 'proposed',
      proposedByUid: personOf(at),
      approvedByUid: null,
      createdAt: at.now,
      publishedAt: null,
      endedAt: null,
    });
    return { result: listing };
  },
  entry: (_facts, verdict, _input, listing) => (verdict.ok ? entryOf('proposed', listing!) : undefined),
  refusals: {
    ...unknownWorkspace,
    ...itemRefusals,
    version_exists: 'This version of the listing exists. A version never changes; propose another version.',
  },
});

async function readFacts(
  em: Em,
  _locked: void,
  { listing, workspace, environment }: Input,
  { now }: Pick<Circumstances, 'now'>,
): Promise<Facts> {
  const { key, version, certification } = listing;
  return {
    subject: await offeredSubject(em, listing, now),
    evidence: certification ? await findEvidence(em, listing, certification.evidence_hash) : null,
    versionExists:
      (await em.count(MarketListing, { publisherUid: workspace, environment, key, version })) > 0,
    publisherName: (await em.findOneOrFail(Workspace, { uid: workspace })).name,
  };
}
