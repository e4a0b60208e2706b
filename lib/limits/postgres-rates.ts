import type { Orm } from '#lib/database/base.ts';
import { stateOf } from './gcra.ts';
import { WINDOW_S, type Rates } from './policy.ts';

/** The answer of the SQL function `take_rates`: numbers separated by spaces, in the order of the keys. */
type RateRow = { allowed: boolean; full_in: string };

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
      const fullIn = taken!.full_in.split(' ');
      return {
        allowed: taken!.allowed,
        states: rates.map((rate, at) => stateOf(rate, Number(fullIn[at]))),
      };
    },
  };
}
