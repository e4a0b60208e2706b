import { randomBytes } from 'node:crypto';
import type { Backend } from './backends.ts';
import type { Tenancy } from './build.ts';
import { clientOf, type Answer } from './client.ts';
import { createCounterparty } from './counterparty.ts';

let count = 0;

/** Returns the source of an obligation that differs from the sources in every other test. */
export function sourceOf(counterparty: number, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    counterparty_id: counterparty,
    obligation_type: 'term_loan',
    source_system: 'treasury-core',
    source_reference: `LOAN-${++count}`,
    source_hash: randomBytes(32).toString('hex'),
    currency: 'EUR',
    original_amount: 1_000_000,
    outstanding_amount: 750_000.25,
    ...more,
  };
}

export const OBLIGATIONS = '/actions/credit-corporate/obligations';

export function offer(backend: Pick<Backend, 'url'>, key: string, source: unknown): Promise<Answer> {
  return clientOf(backend, key).post(OBLIGATIONS, source);
}

/** Creates an obligation of a tenancy; returns its uid. */
export async function createObligation(backend: Backend, { workspace, key }: Tenancy): Promise<string> {
  const counterparty = await createCounterparty(backend, workspace);
  return (await offer(backend, key, sourceOf(counterparty))).body.uid;
}

/** Creates a conflict about a new obligation; returns its uid. */
export async function createConflict(backend: Backend, { workspace, key }: Tenancy): Promise<string> {
  const source = sourceOf(await createCounterparty(backend, workspace));
  await offer(backend, key, source);
  const { body } = await offer(backend, key, { ...source, source_hash: randomBytes(32).toString('hex') });
  return body.conflict_uid;
}
