import { Value } from 'typebox/value';
import { utcDate } from '#lib/core/clock.ts';
import { addMonths, lastDayOfMonth, monthOf } from '#lib/core/date.ts';
import { lastCoveredMonthEnd } from '#lib/data/coverage.ts';
import { currentRevisions } from '#lib/data/dataset.repository.ts';
import { newestPriceDate } from '#lib/data/price.repository.ts';
import type { Em } from '#lib/database/base.ts';
import { ThemeFactorsRequest, type ThemeFactorsRequestBody } from './theme-factors.request.ts';

/** A theme factor run as it is submitted: every default filled in, and what it may read. */
export async function themeFactorsSubmission(em: Em, body: ThemeFactorsRequestBody, now: Date) {
  const newest = await newestPriceDate(em);
  const asOfDate = newest
    ? lastCoveredMonthEnd(newest)
    : lastDayOfMonth(addMonths(monthOf(utcDate(now)), -1));
  // Default fills in every member that has one, and the date is given, so that none is missing.
  const input = Value.Default(ThemeFactorsRequest, { as_of_date: asOfDate, ...body }) as ThemeFactorsRequest;
  return { input, datasetRevisions: await currentRevisions(em) };
}
