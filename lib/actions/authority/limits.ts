import Type, { type Static } from 'typebox';
import { minorDigits } from '#lib/core/money.ts';
import { Closed, Minor, Nullable } from '#lib/core/schema.ts';
import type { BodyFault } from '#lib/governance/governed/kind.ts';

export const CurrencyCode = Type.String({
  pattern: '^[A-Z]{3}$',
  description: 'ISO 4217 code.',
  examples: ['EUR'],
});

/** What may be spent in one currency, in minor units. Null is no bound of its own. */
export const Limit = Closed({
  currency: CurrencyCode,
  per_action_minor: Minor('Most of one action, in minor units.', 1),
  per_day_minor: Nullable(Minor('Most of a calendar day; null where it is not bounded.', 1)),
  per_month_minor: Nullable(Minor('Most of a calendar month; null where it is not bounded.', 1)),
});
export type Limit = Static<typeof Limit>;

export const Limits = Type.Array(Limit, {
  minItems: 1,
  maxItems: 50,
  description: 'One limit a currency.',
});

/** Faults of a list of limits: currencies in force, each once, and action <= day <= month. */
export function limitFaults(limits: readonly Limit[], at: string): BodyFault[] {
  const seen = new Set<string>();
  return limits.flatMap((limit, index) => {
    const pointer = `${at}/${index}`;
    const faults: BodyFault[] = [];
    const { currency } = limit;
    if (minorDigits(currency) === undefined) {
      const message = 'must be a currency of ISO 4217 in force';
      faults.push({ pointer: `${pointer}/currency`, code: 'invalid_currency', message });
    }
    if (seen.has(currency)) {
      const message = 'must be there once';
      faults.push({ pointer: `${pointer}/currency`, code: 'currency_repeated', message });
    }
    seen.add(currency);
    if (!isOrdered(limit)) {
      const message = 'must be ordered: action <= day <= month';
      faults.push({ pointer, code: 'limit_order', message });
    }
    return faults;
  });
}

/** Of the bounds that there are: a day without one of its own is bounded by its month. */
function isOrdered({ per_action_minor, per_day_minor, per_month_minor }: Limit): boolean {
  const bounds = [per_action_minor, per_day_minor, per_month_minor].filter((bound) => bound !== null);
  return bounds.every((bound, index) => index === 0 || bounds[index - 1]! <= bound);
}

/** The bounds of `limit` that `above` does not cover; a bound that `limit` lacks is covered by none but a missing one. */
export function uncoveredBounds(limit: Limit, above: Limit | undefined): (keyof Limit)[] {
  if (!above) return ['currency'];
  return (['per_action_minor', 'per_day_minor', 'per_month_minor'] as const).filter(
    (bound) => (limit[bound] ?? Infinity) > (above[bound] ?? Infinity),
  );
}

/** Limits, cut down to those above them; none of a currency that is not above. */
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

/** Faults of limits that go beyond those above them, currency by currency. */
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
    ).map((bound) => ({ pointer: `${at}/${index}/${bound}`, code, message: `must be within ${whose}` })),
  );
}
