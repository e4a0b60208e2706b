import type { Fact } from '../facts/fact.ts';
import type { Readers } from '../facts/readers.ts';
import type { SemanticQuery } from '../language/query.ts';
import type { Names } from './mentions.ts';

const NAME_MAX = 120;
/** The types of entities whose names a text shows instead of their keys. */
const NAMED = ['company', 'instrument', 'counterparty', 'account'] as const;

/** Returns the names of the measures and subjects of an answer. Keys that are names already are left out. */
export async function namesFor(
  query: SemanticQuery,
  facts: readonly Fact[],
  readers: Pick<Readers, 'measure' | 'entities'>,
): Promise<Names> {
  const metric = query.where?.find(({ field }) => field === 'metric')?.value;
  const asked = [query.measure, query.baseline?.measure, typeof metric === 'string' ? metric : undefined];
  const keys = new Set([...asked, ...facts.map(({ measure }) => measure)]);
  const measures = [...keys].flatMap((key) => {
    const title = key === undefined ? undefined : titleOf(readers.measure(key));
    return title === undefined ? [] : [[key!, title.slice(0, NAME_MAX)] as const];
  });
  // A ranking of many instruments shows their symbols.
  const named = new Map((query.of ?? []).map(({ type, key }) => [key, type]));
  const subjects = new Map<string, string>();
  for (const type of NAMED) {
    if (![...named.values()].includes(type)) continue;
    for (const { key, attributes } of await readers.entities(type))
      if (named.get(key) === type && attributes['name'] !== undefined)
        subjects.set(key, attributes['name'].slice(0, NAME_MAX));
  }
  return { measures: Object.fromEntries(measures), subjects: Object.fromEntries(subjects) };
}

/** The title of a measure in the middle of a sentence. Titles of records are their keys. */
function titleOf(measure: ReturnType<Readers['measure']>): string | undefined {
  if (measure === undefined || measure.title === measure.key) return undefined;
  if (measure.kind === 'text') return measure.title;
  if (measure.domain === 'companies') return measure.title.replaceAll('_', ' ');
  const [, second = ''] = measure.title;
  const isAcronym = second === second.toUpperCase();
  return isAcronym ? measure.title : measure.title[0]!.toLowerCase() + measure.title.slice(1);
}
