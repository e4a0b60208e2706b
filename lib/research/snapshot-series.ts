import type { ContentRow, SnapshotSource } from '#lib/data/numeric-content.ts';
import { minorDigits } from '#lib/core/money.ts';

/** One date of a series: the values of a snapshot, by feature, in the order of the entities. */
export type DatedSection = {
  day: string;
  entities: readonly string[];
  features: readonly (readonly (number | null)[])[];
};

type Shape = Pick<SnapshotSource, 'features' | 'entities'>;

/**
 * Returns a column for each feature and entity. The name is the entity if there is only one feature,
 * otherwise `entity.feature`.
 */
export function seriesColumns({
  features,
  entities,
}: Shape): { name: string; feature: string; entity: string }[] {
  return features.flatMap(({ key }) =>
    entities.map((entity) => ({
      name: features.length === 1 ? entity : `${entity}.${key}`,
      feature: key,
      entity,
    })),
  );
}

/** Returns the row of a date, in the order of the columns; null where the snapshot has no value. */
export function seriesRow({ features, entities }: Shape, section: DatedSection): ContentRow {
  const places = new Map(section.entities.map((entity, at) => [entity, at]));
  const values = features.flatMap((_feature, column) =>
    entities.map((entity) => {
      const place = places.get(entity);
      const value = place === undefined ? null : (section.features[column]![place] ?? null);
      return value === 0 ? 0 : value; // replaces -0 by 0
    }),
  );
  return { observedOn: section.day, entity: null, values };
}

/** The units of amounts that do not name a currency. */
const UNNAMED_AMOUNTS = new Set(['price', 'money', 'amount']);

/**
 * Returns the currencies of a table if its amounts have more than one currency. Ratios and returns have no currency.
 */
export function mixedCurrencies(columns: readonly { unit: string; currency: string | null }[]): string[] {
  const found = new Set<string>();
  for (const { unit, currency } of columns) {
    const isNamed = minorDigits(unit) !== undefined;
    if (isNamed) found.add(unit);
    if ((isNamed || UNNAMED_AMOUNTS.has(unit.toLowerCase())) && currency !== null) found.add(currency);
  }
  return found.size > 1 ? [...found].sort() : [];
}
