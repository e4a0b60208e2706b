import type { Middleware } from 'koa';
import { invalid } from '#lib/core/problem.ts';

/**
 * The maximum number of query parameters. No operation has as many. The time to read repeated parameters
 * grows with the square of their number.
 */
const PARAMETERS_MAX = 100;

/** Refuses a query with too many parameters before it is parsed. */
export const limitQuery: Middleware = async (ctx, next) => {
  const { querystring } = ctx;
  let count = 0;
  for (let at = querystring.indexOf('&'); at >= 0; at = querystring.indexOf('&', at + 1)) count += 1;
  if (count >= PARAMETERS_MAX) {
    const message = `may have at most ${PARAMETERS_MAX} parameters`;
    throw invalid([{ pointer: '', in: 'query', code: 'too_many', message }]);
  }
  await next();
};
