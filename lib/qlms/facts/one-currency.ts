import { askBack, type Clarification } from '../language/codes.ts';
import { canonicalQuery, type SemanticQuery } from '../language/query.ts';
import type { Readers } from './readers.ts';

/**
 * Asks for the currency of a query without one, if a money measure of its subjects is stored in several currencies.
 * Otherwise amounts in different currencies would be in one figure. Returns undefined if the query needs no currency.
 */
export async function currencyAsked(
  query: SemanticQuery,
  readers: Pick<Readers, 'measure' | 'series'>,
): Promise<Clarification | undefined> {
  const isSeries = query.op !== 'define' && query.op !== 'explain' && query.op !== 'list';
  if (!isSeries || query.unit !== undefined) return undefined;
  const keys = [query.measure, query.baseline?.measure].flatMap((key) => key ?? []);
  for (const key of keys.filter(
    (each) => readers.measure(each)?.unit === 'money' && each.startsWith('metric.'),
  ))
    for (const { key: subject } of query.of ?? []) {
      const held = await readers.series(key, subject, query.as_of);
      const currencies = [...new Set(held.flatMap(({ currency }) => currency ?? []))].sort();
      if (currencies.length > 1)
        return {
          ...askBack('ambiguous_currency'),
          options: currencies.map((currency) => ({
            label: currency,
            query: canonicalQuery({ ...query, unit: currency }),
          })),
        };
    }
  return undefined;
}
