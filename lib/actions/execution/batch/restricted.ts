import { instrumentSchemes, type Instrument } from './instrument.ts';

export type Restriction = 'restricted' | 'free' | 'unknown';

/**
 * Returns a check of whether an instrument is restricted. An instrument that shares one identifier with a restricted
 * entry is restricted, even if their other identifiers differ. A known instrument that shares an identifier with the
 * checked instrument adds its other identifiers to the comparison. This is repeated until no identifier is added. If
 * there is an entry with which the instrument still shares no scheme, the result is unknown. Example: with restricted
 * `{isin: 'X'}` and known `{isin: 'X', symbol: 'A'}`, the instrument `{symbol: 'A'}` is restricted.
 */
export function restrictionBy(
  restricted: readonly Instrument[],
  known: readonly Instrument[],
): (instrument: Instrument) => Restriction {
  const listed = new Set(restricted.flatMap(identifiersOf));
  const schemeSets = [...new Set(restricted.map((each) => schemesOf(each).join()))].map((text) =>
    text.split(','),
  );
  const holders = new Map<string, Instrument[]>();
  for (const each of known) {
    for (const id of identifiersOf(each)) holders.get(id)?.push(each) ?? holders.set(id, [each]);
  }
  return (instrument) => {
    const ids = new Set(identifiersOf(instrument));
    for (const id of ids) {
      // This loop adds to the set that it iterates over. The iteration also visits the added identifiers.
      for (const holder of holders.get(id) ?? []) identifiersOf(holder).forEach((each) => ids.add(each));
    }
    if ([...ids].some((id) => listed.has(id))) return 'restricted';
    const schemes = new Set([...ids].map((id) => id.slice(0, id.indexOf(':'))));
    return schemeSets.every((set) => set.some((scheme) => schemes.has(scheme))) ? 'free' : 'unknown';
  };
}

function schemesOf(instrument: Instrument): string[] {
  return instrumentSchemes.filter((scheme) => instrument[scheme] !== undefined);
}

function identifiersOf(instrument: Instrument): string[] {
  return instrumentSchemes.flatMap((scheme) => {
    const value = instrument[scheme];
    return value === undefined ? [] : [`${scheme}:${value}`];
  });
}
