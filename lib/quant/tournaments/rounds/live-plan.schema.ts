import Type, { type Static } from 'typebox';
import { Closed } from '#lib/core/schema.ts';

/** Bounds of live rounds. */
export const ROUND_LIMITS = {
  rounds: 120,
  everyDays: 366,
  openHours: 720,
  series: 100,
  entries: 20,
  /**
   * Number of hours after the close within which the forecasts of a round must be submitted. Otherwise the round is
   * void.
   */
  sealHours: 24,
  /** Number of days for which a round waits for values after its last period. */
  patienceDays: 730,
} as const;

const Rounds = Type.Integer({
  minimum: 1,
  maximum: ROUND_LIMITS.rounds,
  description: 'Number of rounds, 1 to 120. A ranking needs at least 20 scored rounds.',
  examples: [24],
});
const EveryDays = Type.Integer({
  minimum: 1,
  maximum: ROUND_LIMITS.everyDays,
  default: 30,
  description: 'Days from the opening of a round to the opening of the next, 1 to 366.',
});
const OpenHours = Type.Integer({
  minimum: 0,
  maximum: ROUND_LIMITS.openHours,
  default: 24,
  description: 'Hours from the opening of a round to its close, 0 to 720. Forecasts are made at the close.',
});

/** The live rounds that a request asks for. */
export const RequestedPlan = Closed(
  { rounds: Rounds, every_days: Type.Optional(EveryDays), open_hours: Type.Optional(OpenHours) },
  {
    title: 'LiveRounds',
    description:
      'Rounds after the comparison on past origins. At the close of a round, the forecasts of all entries are sealed; the forecasts are scored as soon as the values are known. Only for series tasks with at most 100 series and at most 20 entries.',
  },
);
export const LivePlan = Closed(
  { rounds: Rounds, every_days: EveryDays, open_hours: OpenHours },
  { description: 'The live rounds that follow the comparison on past origins.' },
);
export type LivePlan = Static<typeof LivePlan>;

/** Returns the plan with every default filled in. */
export function planOf({ rounds, every_days, open_hours }: Static<typeof RequestedPlan>): LivePlan {
  return { rounds, every_days: every_days ?? 30, open_hours: open_hours ?? 24 };
}
