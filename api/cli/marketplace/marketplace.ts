import type { Command } from 'commander';
import type { Tenant } from '#lib/database/base.ts';
import { invalidBody } from '#lib/governance/refusal.ts';
import { approveListing } from '#lib/marketplace/approve-listing.command.ts';
import { readListing } from '#lib/marketplace/listing-file.ts';
import { listOwnListings } from '#lib/marketplace/listing.query.ts';
import type { MarketListing } from '#lib/marketplace/market-listing.entity.ts';
import { proposeListing } from '#lib/marketplace/propose-listing.command.ts';
import { withdrawListing } from '#lib/marketplace/withdraw-listing.command.ts';
import { runs } from '#lib/runs.ts';
import { askIn } from '../shell/ask.ts';
import { governAs } from '../shell/govern.ts';
import { withPerson, type GovernedOptions } from '../shell/governed.ts';
import { readBody } from '../shell/governed-kind.ts';
import { limitOption, withJson } from '../shell/options.ts';
import { print, printRows, type OutputOptions } from '../shell/output.ts';
import { inPlaceOf, withPlace } from '../shell/place.ts';

type Governed = OutputOptions & GovernedOptions;

export function register(program: Command): void {
  const group = program.command('marketplace');
  withPlace(withPerson(withJson(group.command('propose <file>'))))
    .description('propose a listing from a JSON file; it becomes visible when another person approves it')
    .action(async (file: string, { workspace, environment, ...options }: Governed & Tenant) => {
      const read = readListing(await readBody(file), runs);
      if (!read.ok) throw invalidBody(read.faults);
      const { result } = await governAs(
        proposeListing,
        { workspace, environment, listing: read.listing },
        options,
      );
      print(present(result), options);
    });
  withPerson(withJson(group.command('approve <listing>')))
    .description('publish a proposed listing; the person must not be the proposer')
    .action(async (uid: string, options: Governed) => {
      const { result } = await governAs(approveListing, { uid }, options);
      print(present(result), options);
    });
  withPerson(withJson(group.command('withdraw <listing>')))
    .description('withdraw a listing permanently')
    .action(async (uid: string, options: Governed) => {
      const { result } = await governAs(withdrawListing, { uid }, options);
      print(present(result), options);
    });
  inPlaceOf(group.command('list'), 'list the listings of the workspace in every state, newest first')
    .addOption(limitOption(50))
    .action(
      async ({ workspace, environment, limit, ...options }: OutputOptions & Tenant & { limit: number }) => {
        const place = { workspace, environment };
        printRows(await askIn(place, listOwnListings, place, limit), options, present);
      },
    );
}

function present(listing: MarketListing) {
  const { uid, kind, key, version, state, subject, digest, certification } = listing;
  return {
    uid,
    kind,
    key,
    version,
    state,
    subject,
    digest,
    certification,
    required_scopes: listing.requiredScopes,
    published_at: listing.publishedAt?.toISOString() ?? null,
  };
}
