import { instrumentSchemes, type Instrument } from './instrument.ts';

export type Restriction = 'restricted' | 'free' | 'unknown';

/**
 * Whether an instrument is on a list of restricted ones. One identifier in common is enough, unlike for a list of what is
 * allowed: two names for one security may differ. Known instruments lend it their other identifiers, one after the other,
 * so that a security is found under whatever name it is ordered. Where it shares no scheme with an entry even then,
 * nothing can be said. Example: restricted `{isin: 'X'}`, known `{isin: 'X', symbol: 'A'}`: `{symbol: 'A'}` is restricted.
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
      // A set that is walked also yields what is added on the way.
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
