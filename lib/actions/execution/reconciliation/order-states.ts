import type { OrderSettlement } from './settlement.ts';

export const orderStates = [
  'open',
  'partially_settled',
  'awaiting_confirmation',
  'settled',
  'break',
] as const;
export type OrderState = (typeof orderStates)[number];
export const confirmationStates = ['none', 'partial', 'confirmed', 'disputed'] as const;
export type ConfirmationState = (typeof confirmationStates)[number];
export const custodyStates = ['none', 'partial', 'settled', 'break'] as const;
export type CustodyState = (typeof custodyStates)[number];

export type JudgedOrder = OrderSettlement & { state: OrderState; acceptedDifference: bigint };
