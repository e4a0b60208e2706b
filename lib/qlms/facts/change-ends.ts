import type { When } from '../language/calendar.ts';
import { askBack, refuse } from '../language/codes.ts';
import type { QueryDraft } from '../language/draft.ts';
import type { QueryPeriod } from '../language/query.ts';
import { areSummed, wholeName } from '../language/whole-period.ts';
import { resolvePeriod, type Timed } from './resolve-period.ts';
import { isOutcome, type Held, type Outcome } from './resolve-subject.ts';
import { endOf, periodsOf, shift, yearBefore } from './windows.ts';

/** The end of a change, and the base with which the end is compared. */
export type Ends = { period: QueryPeriod; base: QueryPeriod; assumptions: string[]; flags: string[] };

/** Resolves the end and the base of a change. */
export function endsOf(draft: QueryDraft, timed: Timed, held: Held): Ends | Outcome {
  const isLevel = held.measure.subject === 'company' && held.measure.kind === 'level';
  const base = draft.base;
  const when = atEnd(draft.when, isLevel && base !== undefined);
  if (when === undefined && base === undefined)
    return askBack('ambiguous_baseline', baselines(timed.held.at(-1)!.period));
  const end = resolvePeriod(when, timed);
  if (isOutcome(end)) return end;
  const { assumptions, flags } = end;
  if (base && (base.kind === 'yoy' || base.kind === 'qoq' || base.kind === 'mom')) {
    if (end.isSpan) return askBack('ambiguous_aggregation', ['mean', 'end of period']);
    const at = end.period.at === 'latest' ? timed.held.at(-1)!.period : end.period.at!;
    const step = stepOf(base.kind, timed);
    if (step === undefined) return refuse('period_finer_than_series');
    return checked({ at, from: step(at), timed, assumptions, flags });
  }
  if (base) {
    const start = resolvePeriod(atEnd(base as When, isLevel), timed);
    if (isOutcome(start)) return start;
    const both: Ends = {
      period: end.period,
      base: start.period,
      assumptions: [...new Set([...assumptions, ...start.assumptions])],
      flags: [...new Set([...flags, ...start.flags])],
    };
    if (held.measure.kind === 'flow' && areSummed(end.period, start.period)) return summed(both, timed);
    if (end.isSpan || start.isSpan)
      return askBack('ambiguous_aggregation', ['mean', 'end of period', 'max', 'min']);
    return both;
  }
  if (end.isSpan) {
    const { from, to, last } = end.period;
    if (last !== undefined) {
      const newest = timed.held.at(-1)!.period;
      return checked({ at: newest, from: shift(newest, -last), timed, assumptions, flags });
    }
    if (held.measure.kind === 'flow') {
      const whole = wholeName(end.period);
      return askBack(
        'ambiguous_baseline',
        whole === undefined
          ? [`against ${yearBefore(to ?? from!)}`, `against the total of the period before`]
          : [...new Set(baselines(whole))],
      );
    }
    if (draft.isGrowth === true && held.measure.native === 'quarterly')
      return askBack('ambiguous_baseline', [
        `against ${shift(from!, -1)}`,
        'the mean against the mean of the year before',
      ]);
    return checked({
      at: to ?? timed.held.at(-1)!.period,
      from: shift(from!, -1),
      timed,
      assumptions,
      flags,
    });
  }
  const at = end.period.at === 'latest' ? timed.held.at(-1)!.period : end.period.at!;
  if (draft.isGrowth === true || end.period.at === 'latest')
    return askBack('ambiguous_baseline', baselines(at));
  return checked({ at, from: shift(at, -1), timed, assumptions, flags });
}

/** Compares the sums of two windows of a flow. A sum with a missing period would be no sum of the window. */
function summed({ period, base, assumptions, flags }: Ends, timed: Timed): Ends | Outcome {
  const names = [period, base].flatMap(({ from, to }) => periodsOf(from!, to!));
  if (names.some((name) => !timed.held.some((each) => each.period === name))) return refuse('missing_value');
  return { period, base, assumptions: [...assumptions, 'flow_adds_up'], flags };
}

/** Returns the usual bases of a change for a period: the previous period, and the same period one year before. */
export function baselines(at: string): string[] {
  return [`against ${shift(at, -1)}`, `against ${yearBefore(at)}`];
}

/**
 * Marks a stretch of more than one day with `isEnd` if the measure is a level, so that the value at the end of the
 * stretch is read.
 */
function atEnd(when: When | undefined, isLevel: boolean): When | undefined {
  return isLevel && when?.kind === 'stretch' && when.grain !== 'day' ? { ...when, isEnd: true } : when;
}

function stepOf(kind: 'yoy' | 'qoq' | 'mom', { measure }: Timed): ((at: string) => string) | undefined {
  if (kind === 'yoy') return yearBefore;
  if (kind === 'mom') return measure.native === 'monthly' ? (at) => shift(at, -1) : undefined;
  return measure.native === 'quarterly'
    ? (at) => shift(at, -1)
    : measure.native === 'monthly'
      ? (at) => shift(at, -3)
      : undefined;
}

type Checked = { at: string; from: string; timed: Timed; assumptions: string[]; flags: string[] };

/** Refuses a change whose base or end is not stored. */
export function checked({ at, from, timed, assumptions, flags }: Checked): Ends | Outcome {
  const first = timed.held[0]!.period;
  if (endOf(from) < endOf(first)) return refuse('not_in_coverage', { nearest: [first] });
  for (const name of [at, from])
    if (!timed.held.some(({ period }) => period === name)) return refuse('missing_value');
  return { period: { at }, base: { at: from }, assumptions, flags };
}
