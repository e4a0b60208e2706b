import type { SettlementCalendar } from '../batch/calendar.ts';
import type { Instrument } from '../batch/instrument.ts';
import type { Side } from '../batch/order.ts';
import type { ToleranceEntry } from './tolerance.ts';

/** The facts of an order that settlement needs. Quantities are scaled by 10^8. */
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

/** The content of a trade confirmation for one order. */
export type ConfirmedLine = { orderHash: string; quantity: bigint; currency: string; amountMinor: bigint };

export const observationStatuses = [
  'settled',
  'partially_settled',
  'pending',
  'failed',
  'cancelled',
] as const;
export type ObservationStatus = (typeof observationStatuses)[number];

/**
 * The role of each observation status. `moves`: the observation reports a movement. `waits` and `fails`: it
 * reports no movement.
 */
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

/** A custody observation, identified by custodian and reference. No result depends on its time of arrival. */
export type ObservationFacts = {
  reference: string;
  custodian: string;
  sourceSystem: string;
  sourceReference: string;
  sourceHash: string;
  account: string | null;
  /** ISO instant in UTC, so that texts sort like times. */
  observedAt: string;
  settlementDate: string;
  status: ObservationStatus;
  /** Hash of the observation without its reference. Observations with the same content have the same hash. */
  contentHash: string;
  /** Whether the observation arrived before the batch was released. */
  isEarly: boolean;
  lines: readonly ObservedLine[];
  /** References of the lines whose movement is already counted in another batch. */
  countedElsewhere: readonly string[];
};

export type RefusedEvidence = 'trade confirmation' | 'custody observation';

export type DecidedFinding = { key: string; fingerprint: string; state: 'resolved' | 'waived' };

/** All facts that determine the state of a released batch. */
export type SettlementFacts = {
  isReleased: boolean;
  controlsPassed: boolean;
  orders: readonly OrderFacts[];
  confirmations: readonly ConfirmedLine[];
  observations: readonly ObservationFacts[];
  /** Evidence that was refused and waits for a decision by a person. */
  conflicts: readonly { uid: string; about: RefusedEvidence }[];
  tolerance: readonly ToleranceEntry[];
  calendar: SettlementCalendar;
  today: string;
  /** Whether the batch was closed at an earlier time. */
  wasClosed: boolean;
  decided: readonly DecidedFinding[];
};
