import { LockMode } from '@mikro-orm/core';
import type { Em } from '#lib/database/base.ts';
import type { ControlsState } from './batch-decision.ts';
import { controlsNow } from './controls.ts';
import { OrderBatch } from './order-batch.entity.ts';

/** Locks a batch. Required before any change of the batch or its evidence. */
export async function lockBatch(em: Em, uid: string): Promise<OrderBatch | null> {
  return em.findOne(OrderBatch, { uid }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
}

/** Returns the state of the controls of a batch now. */
export function controlsOf({ controls, materialHashRoot }: OrderBatch, now: Date): ControlsState {
  if (!controls) return 'not_evaluated';
  const { verdict, root, expires_at } = controls;
  return controlsNow({ verdict, root, expiresAt: new Date(expires_at) }, materialHashRoot, now);
}
