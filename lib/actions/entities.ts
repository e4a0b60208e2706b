import { ApprovalIntent, Delegation, DelegationApproval } from './delegations/delegation.entity.ts';
import { DelegationWindow, Reservation } from './delegations/reservation.entity.ts';
import {
  CustodyObservation,
  ExecutionException,
  TradeConfirmation,
} from './execution/evidence/execution-evidence.entity.ts';
import { BatchOrder, LegacyBatch, OrderBatch } from './execution/batch/order-batch.entity.ts';
import { Obligation } from './obligations/obligation.entity.ts';

/** The entities of this folder's tables. */
export const entities = [
  Obligation,
  Delegation,
  DelegationApproval,
  ApprovalIntent,
  DelegationWindow,
  Reservation,
  OrderBatch,
  BatchOrder,
  LegacyBatch,
  TradeConfirmation,
  CustodyObservation,
  ExecutionException,
];
