import { isUid } from '#lib/core/id.ts';
import type { Em } from '#lib/database/base.ts';
import { adjustmentSteps, type AdjustmentStep } from './adjustment.ts';
import { effectiveActions } from './adjustment.query.ts';
import {
  findSeries,
  findSubjectSeries,
  type Series,
  type SeriesQuestion,
  type Subject,
} from './instrument-series.query.ts';
import { sectorChanges, symbolRanges } from './instrument.ts';
import { keptSubjectSeries } from './kept-series.query.ts';
import { findInstrument, sectorRows } from './instrument.query.ts';
import { priceCoverage } from './price-coverage.query.ts';

export type ServedQuestion = SeriesQuestion & {
  uid: string;
  /** For prices: the last day whose splits and dividends are applied. If omitted, no adjustment steps are returned. */
  adjustUntil?: string | undefined;
};

/** The series that is used for an instrument, if there is one, and the adjustment steps if they were requested. */
export type ServedSeries = { series: Series | undefined; steps: AdjustmentStep[] | null };

/**
 * Returns the series of an instrument; undefined if the instrument does not exist, or if the tenant may not read it.
 */
export async function servedSeries(em: Em, question: ServedQuestion): Promise<ServedSeries | undefined> {
  const { uid, adjustUntil: until, ...wanted } = question;
  const found = isUid(uid) ? await keptSubjectSeries(em, uid, wanted) : undefined;
  if (!found) return undefined;
  const { subject, series } = found;
  if (!series || until === undefined) return { series, steps: null };
  return { series, steps: await stepsOf(em, { subject, prices: series, asOf: wanted.asOf, until }) };
}

type StepsQuestion = { subject: Subject; prices: Series; asOf: string | undefined; until: string };

async function stepsOf(em: Em, { subject, prices, asOf, until }: StepsQuestion): Promise<AdjustmentStep[]> {
  const actions = await findSeries(em, subject, { kind: 'corporate_actions', asOf });
  if (!actions) return [];
  const effective = await effectiveActions(em, { prices, actions }, { asOf, until });
  return adjustmentSteps(effective, prices.priceBasis ?? 'quoted');
}

/** Returns an instrument as known by the end of a day, with its symbols, sectors and price range. */
export async function instrumentDetail(em: Em, uid: string, asOf: string | undefined) {
  const state = isUid(uid) ? await findInstrument(em, uid, asOf) : undefined;
  if (!state) return undefined;
  const { subject, series } = (await findSubjectSeries(em, uid, { kind: 'prices', asOf })).found!;
  return {
    state,
    ranges: symbolRanges(subject.symbols),
    sectors: sectorChanges(await sectorRows(em, uid, asOf)),
    prices: series ? await priceCoverage(em, series, asOf) : null,
  };
}
