import { Value } from 'typebox/value';
import { utcDate } from '#lib/core/clock.ts';
import { addMonths, lastDayOfMonth, monthOf } from '#lib/core/date.ts';
import { invalid } from '#lib/core/problem.ts';
import { lastCoveredMonthEnd } from '#lib/data/coverage.ts';
import { currentRevisions } from '#lib/data/dataset.query.ts';
import { newestPriceDate } from '#lib/data/price.query.ts';
import type { Em } from '#lib/database/base.ts';
import { ThemeFactorsRequest, type ThemeFactorsRequestBody } from './theme-factors.request.ts';

/**
 * Returns the input of the run: the request with every default filled in, and the data that the run may use. Throws a
 * problem for a date in the future.
 */
export async function themeFactorsInput(em: Em, body: ThemeFactorsRequestBody, now: Date) {
  const today = utcDate(now);
  if (body.as_of_date !== undefined && body.as_of_date > today) {
    const message = `must not be after today, ${today}`;
    throw invalid([{ pointer: '/as_of_date', in: 'body', code: 'in_future', message }]);
  }
  const asOfDate = body.as_of_date ?? (await newestAsOfDate(em, today));
  // Every member has a default except the date, which is given, so no member is missing.
  const input = Value.Default(ThemeFactorsRequest, { as_of_date: asOfDate, ...body }) as ThemeFactorsRequest;
  return { input, datasetRevisions: await currentRevisions(em) };
}

/** Returns the end of the newest month that the prices cover. Without prices, it is the end of the last month. */
async function newestAsOfDate(em: Em, today: string): Promise<string> {
  const newest = await newestPriceDate(em);
  return newest ? lastCoveredMonthEnd(newest) : lastDayOfMonth(addMonths(monthOf(today), -1));
}
