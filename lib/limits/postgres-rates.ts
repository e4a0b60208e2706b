import type { Orm } from '#lib/database/base.ts';
import { stateOf } from './gcra.ts';
import { WINDOW_S, type Rate, type RateDecision, type Rates } from './policy.ts';

/**
 * The answer of the SQL functions `take_rates` and `admit_request`: numbers separated by spaces, in the order of the
 * keys.
 */
export type RateRow = { allowed: boolean; full_in: string };

export function readTaken(rates: readonly Rate[], { allowed, full_in }: RateRow): RateDecision {
  const fullIn = full_in.split(' ');
  return { allowed, states: rates.map((rate, at) => stateOf(rate, Number(fullIn[at]))) };
}

const TAKE = `
  select allowed, full_in
  from take_rates(string_to_array(?, ','), string_to_array(?, ',')::integer[], ${WINDOW_S})`;

/** Creates a counter that all processes share. The counter is stored in PostgreSQL. */
export function createPostgresRates(orm: Orm): Rates {
  return {
    async take(_slot, rates) {
      const keys = rates.map(({ key }) => key).join(',');
      const quotas = rates.map(({ quota }) => quota).join(',');
      const [taken] = await orm.em.getConnection().execute<RateRow[]>(TAKE, [keys, quotas]);
      return readTaken(rates, taken!);
    },
  };
}
