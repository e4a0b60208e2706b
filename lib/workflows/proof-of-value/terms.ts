import { daysBetween, isDate } from '#lib/core/date.ts';
import { ONE, parseDecimal } from '#lib/core/decimal.ts';
import { minorDigits } from '#lib/core/money.ts';
import { gradeHash, type HashGrade } from '#lib/governance/evidence.ts';
import type { Measure, Objective, Statistic } from './proof-states.ts';
import type { ProofRequest } from './terms.schema.ts';

/** The longest window in days. */
const WINDOW_DAYS_MAX = 366;

type Baseline = Required<Omit<ProofRequest['baseline'], 'currency' | 'samples'>> & {
  currency: string | null;
  samples: string[] | null;
};

/** The terms of a proof of value with every default. They never change. */
export type ProofTerms = Omit<ProofRequest, 'statistic' | 'measure' | 'baseline'> & {
  statistic: Statistic;
  /** The figure that is measured for each run; null for a share. */
  measure: Measure | null;
  baseline: Baseline;
  hash_grade: HashGrade;
};

export type TermsFault = {
  pointer: string;
  code:
    | 'baseline_evidence_required'
    | 'window_invalid'
    | 'window_in_past'
    | 'statistic_mismatch'
    | 'invalid_currency'
    | 'out_of_range';
  message: string;
};

const judgedBy: Record<Objective, { statistic: Statistic; measures: readonly Measure[] }> = {
  cost_reduction: { statistic: 'median_value', measures: ['cost_minor'] },
  time_saved: { statistic: 'median_value', measures: ['duration_seconds', 'steps_waited_seconds'] },
  error_reduction: { statistic: 'share_succeeded', measures: [] },
  coverage: { statistic: 'share_succeeded', measures: [] },
};

/**
 * Reads the terms of a proof of value. `today` is the current day (UTC). The window must not begin earlier, so that
 * nobody can choose a window after its runs. Returns the terms with every default, or every fault with its JSON
 * pointer.
 */
export function readTerms(
  request: ProofRequest,
  today: string,
): { ok: true; terms: ProofTerms } | { ok: false; faults: TermsFault[] } {
  const { statistic, measures } = judgedBy[request.objective];
  const isShare = statistic === 'share_succeeded';
  const { source_reference: reference, source_hash: hash, currency, samples, ...baseline } = request.baseline;
  const graded = hash === undefined ? undefined : gradeHash(hash);
  const measure = request.measure ?? measures[0] ?? null;
  const faults = [
    ...statisticFaults(request, { statistic, measures }),
    ...windowFaults(request.window, today),
    ...periodFaults(request.baseline.period),
    ...evidenceFaults(reference, hash, graded !== undefined),
    ...currencyFaults(currency, measure),
    ...(isShare ? shareFaults(request) : []),
  ];
  if (faults.length > 0 || reference === undefined || !graded) return { ok: false, faults };
  const evidence = { source_reference: reference, source_hash: graded.hash };
  return {
    ok: true,
    terms: {
      ...request,
      statistic,
      measure,
      baseline: { ...baseline, ...evidence, currency: currency ?? null, samples: samples ?? null },
      hash_grade: graded.grade,
    },
  };
}

function statisticFaults(
  { objective, statistic, measure, baseline, target }: ProofRequest,
  fixed: (typeof judgedBy)[Objective],
): TermsFault[] {
  const fault = (pointer: string, message: string) =>
    ({ pointer, code: 'statistic_mismatch', message }) as const;
  const isShare = fixed.statistic === 'share_succeeded';
  return [
    ...(statistic === undefined || statistic === fixed.statistic
      ? []
      : [fault('/statistic', `must be ${fixed.statistic} for the objective ${objective}`)]),
    ...(measure === undefined || fixed.measures.includes(measure)
      ? []
      : [
          fault('/measure', isShare ? 'must be left out, because a share has no measure' : measuresOf(fixed)),
        ]),
    ...(isShare && baseline.samples ? [fault('/baseline/samples', 'must be left out for a share')] : []),
    // A failed run must never bring a share nearer to its target.
    ...(isShare && target.direction === 'decrease'
      ? [fault('/target/direction', 'must be increase, because the share of succeeded runs is measured')]
      : []),
  ];
}

function measuresOf({ measures }: (typeof judgedBy)[Objective]): string {
  return `must be ${measures.join(' or ')}`;
}

function windowFaults({ from, to }: ProofRequest['window'], today: string): TermsFault[] {
  const days = isDate(from) && isDate(to) ? daysBetween(from, to) : 0;
  if (days < 1 || days > WINDOW_DAYS_MAX) {
    const message = `must span 1 to ${WINDOW_DAYS_MAX} days`;
    return [{ pointer: '/window', code: 'window_invalid', message }];
  }
  const message = `must not be before today, ${today} (UTC)`;
  return from < today ? [{ pointer: '/window/from', code: 'window_in_past', message }] : [];
}

function periodFaults({ from, to }: ProofRequest['baseline']['period']): TermsFault[] {
  const message = 'must end after it begins';
  return from < to ? [] : [{ pointer: '/baseline/period', code: 'window_invalid', message }];
}

function evidenceFaults(
  reference: string | undefined,
  hash: string | undefined,
  isGraded: boolean,
): TermsFault[] {
  const code = 'baseline_evidence_required';
  const hashMessage =
    hash === undefined ? 'is required' : 'must be a SHA-256 hash, or 8 to 256 visible characters';
  return [
    ...(reference === undefined || reference.trim() === ''
      ? [{ pointer: '/baseline/source_reference', code, message: 'is required' } as const]
      : []),
    ...(isGraded ? [] : [{ pointer: '/baseline/source_hash', code, message: hashMessage } as const]),
  ];
}

function currencyFaults(currency: string | undefined, measure: Measure | null): TermsFault[] {
  const pointer = '/baseline/currency';
  if (currency !== undefined && minorDigits(currency) === undefined) {
    return [{ pointer, code: 'invalid_currency', message: 'must be an active ISO 4217 currency' }];
  }
  if (currency !== undefined || measure !== 'cost_minor') return [];
  return [{ pointer, code: 'invalid_currency', message: 'is required for a cost' }];
}

function shareFaults({ target, baseline }: ProofRequest): TermsFault[] {
  const values = [
    ['/target/value', target.value],
    ['/baseline/value', baseline.value],
  ] as const;
  return values.flatMap(([pointer, value]) =>
    parseDecimal(value)! <= ONE
      ? []
      : [{ pointer, code: 'out_of_range', message: 'must be from 0 to 1, because it is a share' } as const],
  );
}
