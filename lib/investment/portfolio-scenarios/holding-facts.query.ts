import { sql } from 'kysely';
import { knownRows, wasImported } from '#lib/data/as-of.query.ts';
import { taxonomyExposures, taxonomyInForce } from '#lib/data/taxonomy.query.ts';
import type { Em } from '#lib/database/base.ts';
import type { groupKinds } from './scenario-request.schema.ts';

type Question = {
  symbols: readonly string[];
  asOf: string;
  revisions: Readonly<Record<string, number>>;
};

/**
 * Returns the uid of the instrument of each symbol at the pinned revisions. If several datasets contain a
 * symbol, a dataset of the workspace takes precedence over a dataset of the platform, then the oldest dataset
 * takes precedence. A symbol without an instrument is absent.
 */
export async function pinnedInstruments(
  em: Em,
  { symbols, revisions }: Omit<Question, 'asOf'>,
): Promise<Record<string, string>> {
  const { rows } = await sql<{ symbol: string; uid: string }>`
    select distinct on (i.symbol) i.symbol, i.uid from instrument i join dataset d on d.id = i.dataset_id
    where i.symbol = any(${[...symbols]}::text[]) and exists (
      select from instrument_version v
      where v.dataset_id = i.dataset_id and v.symbol = i.symbol and ${wasImported('v', revisions)})
    order by i.symbol, d.workspace_uid is null, d.id
  `.execute(em.getKysely());
  return Object.fromEntries(rows.map(({ symbol, uid }) => [symbol, uid]));
}

/**
 * Returns the sector of each symbol, or the theme to which it has the largest exposure. A symbol without a
 * sector or theme is absent.
 */
export async function groupsOf(
  em: Em,
  kind: (typeof groupKinds)[number],
  question: Question,
): Promise<Record<string, string>> {
  return kind === 'sector' ? sectorsOf(em, question) : themesOf(em, question);
}

async function sectorsOf(em: Em, { symbols, asOf, revisions }: Question): Promise<Record<string, string>> {
  const known = knownRows({
    table: 'instrument_version',
    key: ['dataset_id', 'symbol', 'observed_on'],
    columns: ['sector'],
    where: sql`o.symbol = any(${[...symbols]}::text[]) and o.observed_on <= ${asOf}::date
      and ${wasImported('o', revisions)}`,
    asOf,
  });
  const { rows } = await sql<{ symbol: string; sector: string }>`
    select distinct on (v.symbol) v.symbol, v.sector from ${known} v join dataset d on d.id = v.dataset_id
    where v.sector is not null
    order by v.symbol, d.workspace_uid is null, d.id, v.observed_on desc
  `.execute(em.getKysely());
  return Object.fromEntries(rows.map(({ symbol, sector }) => [symbol, sector]));
}

async function themesOf(em: Em, { symbols, asOf, revisions }: Question): Promise<Record<string, string>> {
  const chosen = await taxonomyInForce(em, asOf, revisions);
  if (!chosen) return {};
  const wanted = new Set(symbols);
  const largest = new Map<string, { theme: string; micro: number }>();
  // Exposures are in the order of the themes. Of two equal exposures, the first theme is therefore used.
  for (const { theme, symbol, micro } of await taxonomyExposures(em, chosen.id)) {
    if (!wanted.has(symbol) || micro <= (largest.get(symbol)?.micro ?? 0)) continue;
    largest.set(symbol, { theme, micro });
  }
  return Object.fromEntries([...largest].map(([symbol, { theme }]) => [symbol, theme]));
}
