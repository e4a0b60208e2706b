import Type from 'typebox';
import { Closed, Instant, Nullable } from '#lib/core/schema.ts';
import type { ActionRow } from '#lib/data/adjustment.query.ts';
import { actionTypes } from '#lib/data/corporate-action.ts';
import { findSeries } from '#lib/data/instrument-series.query.ts';
import { recentActions } from '#lib/data/recent-actions.query.ts';
import { ageDays, Block, defineBlock, latestOf } from './block.ts';
import { Day, Decimal } from './wire.ts';

const ACTIONS_MAX = 8;

const Action = Closed(
  {
    ex_date: Day('The first day on which the share trades without the entitlement.'),
    type: Type.Enum([...actionTypes], {
      description: 'The type of the action. A stock dividend counts as a split.',
    }),
    amount: Nullable(
      Decimal('Cash dividend per share.', '0.205'),
      'Cash dividend per share, in the currency of the instrument; null for a split.',
    ),
    ratio: Nullable(
      Decimal('Ratio of a split.', '4'),
      'Number of new shares for each old share; null for a dividend.',
    ),
    known_at: Instant,
  },
  { title: 'CompanyAction', description: 'A dividend or split, as known at the end of the `as_of` day.' },
);

const schema = Block(
  {
    last: Type.Array(Action, {
      maxItems: ACTIONS_MAX,
      description: `The last ${ACTIONS_MAX} actions with an ex-date by \`as_of\`, newest first.`,
    }),
    next: Nullable(Action, 'The next announced action with an ex-date after `as_of`; null if none is known.'),
  },
  {
    title: 'CompanyActions',
    description: 'The latest and the next dividends and splits.',
    since: 'the time when the newest of these actions became known',
  },
);

/** The last dividends and splits, and the next announced dividend or split. */
export const actions = defineBlock({
  scope: 'data:market:read',
  kind: 'corporate_actions',
  schema,
  async read(em, company) {
    const { subject, day } = company;
    const series = await findSeries(em, subject, { kind: 'corporate_actions', asOf: day });
    if (!series) return 'never_observed';
    const { last, next } = await recentActions(em, series, { day, limit: ACTIONS_MAX });
    const all = next ? [...last, next] : last;
    if (all.length === 0) return 'never_observed'; // Every corporate action was withdrawn.
    const knownAt = latestOf(all.map((row) => row.knownAt));
    return {
      dataset: series.datasetUid,
      known_at: knownAt,
      age_days: ageDays(company, knownAt),
      last: last.map(present),
      next: next ? present(next) : null,
    };
  },
});

function present({ observedOn, type, amount, ratio, knownAt }: ActionRow) {
  return { ex_date: observedOn, type, amount, ratio, known_at: knownAt };
}
