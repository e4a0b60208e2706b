import Type, { type Static } from 'typebox';
import { minorDigits } from '#lib/core/money.ts';
import { Closed, Minor, Nullable } from '#lib/core/schema.ts';
import type { BodyFault } from '#lib/governance/governed/kind.ts';

export const CurrencyCode = Type.String({
  pattern: '^[A-Z]{3}$',
  description: 'A currency, ISO 4217.',
  examples: ['EUR'],
});

/** The spending limits in one currency, in minor units. Null means no limit. */
export const Limit = Closed({
  currency: CurrencyCode,
  per_action_minor: Minor('The limit per action, in minor units.', 1),
  per_day_minor: Nullable(Minor('The limit per calendar day, in minor units; null if there is no limit.', 1)),
  per_month_minor: Nullable(
    Minor('The limit per calendar month, in minor units; null if there is no limit.', 1),
  ),
});
export type Limit = Static<typeof Limit>;

export const Limits = Type.Array(Limit, {
  minItems: 1,
  maxItems: 50,
  description: 'The limits, one per currency.',
});

/**
 * Returns the faults of a list of limits. Each currency must be active and occur once, and the limits of a
 * currency must be in order: per action <= per day <= per month.
 */
export function limitFaults(limits: readonly Limit[], at: string): BodyFault[] {
  const seen = new Set<string>();
  return limits.flatMap((limit, index) => {
    const pointer = `${at}/${index}`;
    const faults: BodyFault[] = [];
    const { currency } = limit;
    if (minorDigits(currency) === undefined) {
      const message = 'must be an active ISO 4217 currency';
      faults.push({ pointer: `${pointer}/currency`, code: 'invalid_currency', message });
    }
    if (seen.has(currency)) {
      const message = 'must be unique in the list';
      faults.push({ pointer: `${pointer}/currency`, code: 'currency_repeated', message });
    }
    seen.add(currency);
    if (!isOrdered(limit)) {
      const message = 'must be in ascending order: per action <= per day <= per month';
      faults.push({ pointer, code: 'limit_order', message });
    }
    return faults;
  });
}

/** Whether limit per action <= limit per day <= limit per month. Limits that are not set are skipped. */
function isOrdered({ per_action_minor, per_day_minor, per_month_minor }: Limit): boolean {
  const bounds = [per_action_minor, per_day_minor, per_month_minor].filter((bound) => bound !== null);
  return bounds.every((bound, index) => index === 0 || bounds[index - 1]! <= bound);
}

/**
 * Returns the names of the limits in `limit` that exceed `above`. A limit that is not set is infinite.
 * Returns `currency` if there is no `above` for the currency.
 */
export function uncoveredBounds(limit: Limit, above: Limit | undefined): (keyof Limit)[] {
  if (!above) return ['currency'];
  return (['per_action_minor', 'per_day_minor', 'per_month_minor'] as const).filter(
    (bound) => (limit[bound] ?? Infinity) > (above[bound] ?? Infinity),
  );
}

/** Returns the limits, each capped at the limit of the level above. Currencies without a limit above are left out. */
export function within(limits: readonly Limit[], above: readonly Limit[]): Limit[] {
  return limits.flatMap((limit) => {
    const over = above.find(({ currency }) => currency === limit.currency);
    if (!over) return [];
    const min = (bound: 'per_day_minor' | 'per_month_minor') => {
      const bounds = [limit[bound], over[bound]].filter((each) => each !== null);
      return bounds.length ? Math.min(...bounds) : null;
    };
    return [
      {
        currency: limit.currency,
        per_action_minor: Math.min(limit.per_action_minor, over.per_action_minor),
        per_day_minor: min('per_day_minor'),
        per_month_minor: min('per_month_minor'),
      },
    ];
  });
}

/** Returns the faults of limits that exceed the limits of the level above, for each currency. */
export function excessFaults(
  limits: readonly Limit[],
  above: readonly Limit[],
  at: string,
  code: string,
  whose: string,
): BodyFault[] {
  return limits.flatMap((limit, index) =>
    uncoveredBounds(
      limit,
      above.find(({ currency }) => currency === limit.currency),
    ).map((bound) => ({ pointer: `${at}/${index}/${bound}`, code, message: `must not exceed ${whose}` })),
  );
}
