import { LockMode } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { Em, Tenant } from '#lib/database/base.ts';
import type { ListingKind } from './listing.ts';
import { wordsOf } from './listing.ts';
import { MarketListing } from './market-listing.entity.ts';

export type ListingFilter = {
  kind?: ListingKind | undefined;
  /** Search words. Each must be the beginning of a word in the title, key or description. */
  q?: string | undefined;
  entitled?: boolean | undefined;
};

/** The rights that determine whether a caller is entitled to an item. */
export type Rights = { scopes: ReadonlySet<string> };

export type FoundListing = { listing: MarketListing; isEntitled: boolean };

/** Returns the published listings of the environment of the current tenant, newest first. */
export async function listListings(
  em: Em,
  {
    filter,
    rights,
    environment,
  }: { filter: ListingFilter; rights: Rights; environment: Tenant['environment'] },
  { after, limit }: { after: string | undefined; limit: number },
): Promise<FoundListing[]> {
  const { kind, q, entitled } = filter;
  const prefixes = q === undefined ? [] : wordsOf(q);
  if (q !== undefined && prefixes.length === 0) return [];
  const held = sql<boolean>`(required_scopes <@ ${[...rights.scopes]}::text[]
    and not exists (select from unnest(required_entitlements) needed (uid)
      where not exists (select from dataset d where d.uid = needed.uid)))`;
  const { rows } = await sql<{ uid: string; held: boolean }>`
    select uid, ${held} as held from market_listing
    where state = 'published' and shown_in = ${environment}
      ${kind === undefined ? sql`` : sql`and kind = ${kind}`}
      ${after === undefined ? sql`` : sql`and uid < ${after}`}
      ${entitled === undefined ? sql`` : sql`and ${held} = ${entitled}`}
      and not exists (select from unnest(${prefixes}::text[]) prefix
        where not exists (select from unnest(words) word where starts_with(word, prefix)))
    order by uid desc limit ${limit}
  `.execute(em.getKysely());
  return withRights(em, rows);
}

/** Returns a published or superseded listing; undefined if there is none, or if it was withdrawn. */
export async function findListing(
  em: Em,
  uid: string,
  { rights, environment }: { rights: Rights; environment: Tenant['environment'] },
): Promise<FoundListing | undefined> {
  const { rows } = await sql<{ uid: string; held: boolean }>`
    select uid, (required_scopes <@ ${[...rights.scopes]}::text[]
      and not exists (select from unnest(required_entitlements) needed (uid)
        where not exists (select from dataset d where d.uid = needed.uid))) as held
    from market_listing
    where uid = ${uid} and shown_in = ${environment} and state in ('published', 'superseded')
  `.execute(em.getKysely());
  return (await withRights(em, rows))[0];
}

async function withRights(em: Em, rows: readonly { uid: string; held: boolean }[]): Promise<FoundListing[]> {
  const found = await em.find(MarketListing, { uid: { $in: rows.map(({ uid }) => uid) } });
  const byUid = new Map(found.map((listing) => [listing.uid, listing]));
  return rows.map(({ uid, held: isEntitled }) => ({ listing: byUid.get(uid)!, isEntitled }));
}

/** Returns the listings of a publisher in every state, newest first. For operators. */
export function listOwnListings(
  em: Em,
  { workspace, environment }: Tenant,
  limit: number,
): Promise<MarketListing[]> {
  return em.find(
    MarketListing,
    { publisherUid: workspace, environment },
    { orderBy: { uid: 'desc' }, limit },
  );
}

/** Returns the workspace and environment of a listing in any state; undefined if the listing does not exist. */
export async function placeOfListing(em: Em, uid: string): Promise<Tenant | undefined> {
  const found = await em.findOne(MarketListing, { uid });
  return found ? { workspace: found.publisherUid, environment: found.environment } : undefined;
}

/** Locks a listing. */
export function lockListing(em: Em, uid: string): Promise<MarketListing> {
  return em.findOneOrFail(MarketListing, { uid }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
}

/** Returns every published or superseded listing that has a certification, whoever published it. For workers. */
export function certifiedListings(em: Em): Promise<MarketListing[]> {
  return em.find(MarketListing, {
    certification: { $ne: 'none' },
    state: { $in: ['published', 'superseded'] },
  });
}
