import { withoutTrailing } from '#lib/core/without-trailing.ts';
import { publishedTaxonomyVersions, taxonomyExposures } from '#lib/data/taxonomy.query.ts';
import type { Readers } from '../facts/readers.ts';
import { knownBy, observedIn, type ReadingState } from './reading.ts';

const MICRO = 1_000_000;

/** Returns the exposures of a taxonomy version, or of the newest version that was published by the end of a day. */
export async function taxonomyRows(
  state: ReadingState,
  { asOf, version }: { asOf?: string; version?: string },
): ReturnType<Readers['taxonomy']> {
  const known = knownBy(state, asOf);
  const all = await publishedTaxonomyVersions(state.em, state.revisions);
  const own = all.filter(({ isPlatform }) => !isPlatform);
  const [chosen] = (own.length > 0 ? own : all)
    .filter(
      (each) =>
        (version === undefined || each.version === version) &&
        (known === undefined || each.publishedAt.slice(0, 10) <= known),
    )
    .sort((one, other) => (one.publishedAt > other.publishedAt ? -1 : 1));
  if (!chosen) return undefined;
  const rows = (await taxonomyExposures(state.em, chosen.id)).map(({ theme, symbol, micro }) => ({
    theme,
    symbol,
    exposure: fractionOf(micro),
  }));
  const dataset = state.directory.datasets.find(({ uid }) => uid === chosen.dataset)!;
  return {
    version: chosen.version,
    rows,
    source: observedIn(state, `taxonomy/${chosen.version}`, dataset),
  };
}

/** Returns millionths as decimal text without trailing zeros. Example: 250000 is `0.25`. */
function fractionOf(micro: number): string {
  const decimals = withoutTrailing(String(micro % MICRO).padStart(6, '0'), '0');
  const whole = Math.floor(micro / MICRO);
  return decimals === '' ? String(whole) : `${whole}.${decimals}`;
}
