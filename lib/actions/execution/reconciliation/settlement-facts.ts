import type { SettlementCalendar } from '../batch/calendar.ts';
import type { Instrument } from '../batch/instrument.ts';
import type { Side } from '../batch/order.ts';
import type { ToleranceEntry } from './tolerance.ts';

/** What was ordered, as far as settlement asks for it. Quantities are scaled by 10^8. */
export type OrderFacts = {
  uid: string;
  hash: string;
  instrument: Instrument;
  side: Side;
  quantity: bigint;
  currency: string;
  account: string;
  settlementDate: string;
};

/** What a trade confirmation says of an order. */
export type ConfirmedLine = { orderHash: string; quantity: bigint; currency: string; amountMinor: bigint };

export const observationStatuses = [
  'settled',
  'partially_settled',
  'pending',
  'failed',
  'cancelled',
] as const;
export type ObservationStatus = (typeof observationStatuses)[number];

/** What an observation of a status is about an order: a movement, or a word without one. */
export const statusRoles = {
  settled: 'moves',
  partially_settled: 'moves',
  pending: 'waits',
  failed: 'fails',
  cancelled: 'fails',
} as const satisfies Record<ObservationStatus, string>;

export type ObservedLine = {
  reference: string;
  orderHash: string | null;
  instrument: Instrument | null;
  side: Side | null;
  quantity: bigint;
  currency: string;
  amountMinor: bigint;
};

/** What a custodian observed. Its identity is custodian and reference; nothing depends on when it arrived. */
export type ObservationFacts = {
  reference: string;
  custodian: string;
  sourceSystem: string;
  sourceReference: string;
  sourceHash: string;
  account: string | null;
  /** ISO instant in UTC, so that texts compare as instants. */
  observedAt: string;
  settlementDate: string;
  status: ObservationStatus;
  /** Hash of all that it says but its own reference. */
  contentHash: string;
  /** It came before the batch was released. */
  isEarly: boolean;
  lines: readonly ObservedLine[];
  /** References of lines whose movement another batch counts already. */
  countedElsewhere: readonly string[];
};

export type RefusedEvidence = 'trade confirmation' | 'custody observation';

export type DecidedFinding = { key: string; fingerprint: string; state: 'resolved' | 'waived' };

/** All that the state of a released batch follows from. */
export type SettlementFacts = {
  isReleased: boolean;
  controlsPassed: boolean;
  orders: readonly OrderFacts[];
  confirmations: readonly ConfirmedLine[];
  observations: readonly ObservationFacts[];
  /** Evidence that was refused and waits for a person. */
  conflicts: readonly { uid: string; about: RefusedEvidence }[];
  tolerance: readonly ToleranceEntry[];
  calendar: SettlementCalendar;
  today: string;
  /** Whether it was closed before. */
  wasClosed: boolean;
  decided: readonly DecidedFinding[];
};
