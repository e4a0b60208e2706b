import type { EvidenceFault } from './evidence-fault.ts';
import { instantOf } from '#lib/core/clock.ts';
import { minorDigits } from '#lib/core/money.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { gradeHash, type HashGrade } from '#lib/governance/evidence.ts';
import { isUsualDate, USUAL_DATE } from '../batch/batch-file.ts';
import { formatDecimal, parseDecimal } from '#lib/core/decimal.ts';
import type { Instrument } from '../batch/instrument.ts';
import { isMovement } from '../reconciliation/repeated-lines.ts';
import type { Side } from '../batch/order.ts';
import type { ObservationFacts, ObservationStatus } from '../reconciliation/settlement-facts.ts';

/**
 * A line of a custody observation, as submitted or as stored. In a stored line, the quantity is in its shortest form
 * and the hash in its normal form.
 */
export type CustodyLine = {
  line_reference: string;
  order_hash?: string;
  instrument?: Instrument;
  side?: Side;
  quantity: string;
  currency: string;
  settlement_amount_minor: number;
  amount_scale: number;
  place_of_settlement?: string;
};

export type OfferedObservation = {
  observation_reference: string;
  custodian: string;
  account_reference?: string | null;
  observed_at: string;
  settlement_date: string;
  status: ObservationStatus;
  source_system: string;
  source_reference: string;
  source_hash?: string;
  lines: readonly CustodyLine[];
};

/** The content of an observation without its reference and source, in normal form. */
export type ObservationContent = {
  account_reference: string | null;
  observed_at: string;
  settlement_date: string;
  status: ObservationStatus;
  lines: CustodyLine[];
};

export type ReadObservation =
  | { ok: true; content: ObservationContent; contentHash: string; sourceHash: string; hashGrade: HashGrade }
  | { ok: false; code: 'insufficient_evidence' | 'invalid_custody_evidence'; faults: EvidenceFault[] };

/** How far the clock of a custodian may be ahead, in milliseconds. */
export const AHEAD_MS = 5 * 60_000;
/**
 * How far after the observation the settlement day may begin, in milliseconds. In the time zone of the
 * custodian, the next day may already have begun.
 */
const SETTLED_AHEAD_MS = 86_400_000;

/**
 * Reads an observation. Returns the content to store, or every fault. An observation must not be older than
 * its batch.
 */
export function readObservation(
  offered: OfferedObservation,
  { now, since, observedAt }: { now: Date; since: Date; observedAt: Date },
): ReadObservation {
  const missing = missingEvidence(offered);
  const graded = offered.source_hash === undefined ? undefined : gradeHash(offered.source_hash);
  const faults = offered.lines.flatMap((line, at) => lineFaults(line, at, offered.lines));
  if (offered.source_hash !== undefined && !graded) {
    const message = 'must be a SHA-256 hash, or 8 to 256 visible characters';
    faults.push({ pointer: '/source_hash', code: 'invalid_source_hash', message });
  }
  if (!isUsualDate(offered.settlement_date)) {
    faults.push({ pointer: '/settlement_date', code: 'invalid_date', message: USUAL_DATE });
  }
  if (isMovement(offered.status) && isBefore(observedAt, offered.settlement_date)) {
    const message =
      'must not be more than a day after observed_at, because a future settlement cannot be observed';
    faults.push({ pointer: '/settlement_date', code: 'settlement_after_observation', message });
  }
  if (observedAt.getTime() > now.getTime() + AHEAD_MS) {
    faults.push({ pointer: '/observed_at', code: 'in_future', message: 'must not be in the future' });
  }
  if (observedAt < since) {
    const message = 'must not be before the batch was created';
    faults.push({ pointer: '/observed_at', code: 'before_batch', message });
  }
  if (faults.length) return { ok: false, code: 'invalid_custody_evidence', faults: [...missing, ...faults] };
  if (missing.length || !graded) return { ok: false, code: 'insufficient_evidence', faults: missing };
  const { settlement_date, status, source_system, source_reference, custodian } = offered;
  const content = {
    account_reference: offered.account_reference ?? null,
    observed_at: observedAt.toISOString(),
    settlement_date,
    status,
    lines: offered.lines.map(normalLine),
  };
  const origin = { custodian, source_system, source_reference, source_hash: graded.hash };
  return {
    ok: true,
    content,
    contentHash: canonicalHash({ schema: 'custody-observation/1', ...origin, content }),
    sourceHash: graded.hash,
    hashGrade: graded.grade,
  };
}

function isBefore(observedAt: Date, settlementDate: string): boolean {
  return instantOf(settlementDate).getTime() - observedAt.getTime() > SETTLED_AHEAD_MS;
}

function missingEvidence({ lines, source_hash, account_reference }: OfferedObservation): EvidenceFault[] {
  const code = 'insufficient_evidence';
  return [
    ...(lines.length === 0 ? [{ pointer: '/lines', code, message: 'must have at least one line' }] : []),
    ...(source_hash === undefined ? [{ pointer: '/source_hash', code, message: 'must be present' }] : []),
    ...lines.flatMap(({ order_hash, instrument, side }, at) => {
      const isNamed = instrument && Object.keys(instrument).length > 0 && side && account_reference;
      const message =
        'must name its order, either by order_hash, or by instrument and side together with account_reference';
      return order_hash !== undefined || isNamed ? [] : [{ pointer: `/lines/${at}`, code, message }];
    }),
  ];
}

function lineFaults(line: CustodyLine, at: number, lines: readonly CustodyLine[]): EvidenceFault[] {
  const faults: EvidenceFault[] = [];
  const add = (name: string, code: string, message: string) =>
    faults.push({ pointer: `/lines/${at}/${name}`, code, message });
  const digits = minorDigits(line.currency);
  if (digits === undefined) add('currency', 'invalid_currency', 'must be an active ISO 4217 currency');
  else if (line.amount_scale !== digits) {
    add(
      'amount_scale',
      'amount_scale_mismatch',
      `must be ${digits}, the number of decimals of ${line.currency}`,
    );
  }
  const quantity = parseDecimal(line.quantity);
  if (quantity === undefined || quantity === 0n) add('quantity', 'invalid_quantity', 'must be above 0');
  const first = lines.findIndex(({ line_reference }) => line_reference === line.line_reference);
  if (first !== at) add('line_reference', 'line_repeated', 'must be unique in the observation');
  return faults;
}

function normalLine({ order_hash, quantity, ...line }: CustodyLine): CustodyLine {
  return {
    ...line,
    ...(order_hash === undefined ? {} : { order_hash: normalHash(order_hash) }),
    quantity: formatDecimal(parseDecimal(quantity)!),
  };
}

/** Returns an order hash in its normal form, with the prefix `sha256:`. */
export function normalHash(text: string): string {
  return `sha256:${text.replace(/^sha256:/, '').toLowerCase()}`;
}

/** Returns those facts of a stored observation that reconciliation needs. */
export function observationFacts(
  from: Omit<ObservationFacts, 'account' | 'observedAt' | 'settlementDate' | 'status' | 'lines'>,
  content: ObservationContent,
): ObservationFacts {
  const { reference, custodian, sourceSystem, sourceReference, sourceHash, contentHash, isEarly } = from;
  return {
    reference,
    custodian,
    sourceSystem,
    sourceReference,
    sourceHash,
    contentHash,
    isEarly,
    countedElsewhere: from.countedElsewhere,
    account: content.account_reference,
    observedAt: content.observed_at,
    settlementDate: content.settlement_date,
    status: content.status,
    lines: content.lines.map((line) => ({
      reference: line.line_reference,
      orderHash: line.order_hash ?? null,
      instrument: line.instrument ?? null,
      side: line.side ?? null,
      quantity: parseDecimal(line.quantity)!,
      currency: line.currency,
      amountMinor: BigInt(line.settlement_amount_minor),
    })),
  };
}
