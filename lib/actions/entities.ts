import { ApprovalIntent, Delegation, DelegationApproval } from './delegation/delegation.entity.ts';
import { DelegationWindow, Reservation } from './delegation/reservation.entity.ts';
import {
  CustodyObservation,
  ExecutionException,
  TradeConfirmation,
} from './execution/execution-evidence.entity.ts';
import { BatchOrder, LegacyBatch, OrderBatch } from './execution/order-batch.entity.ts';
import { Obligation } from './obligation.entity.ts';

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
