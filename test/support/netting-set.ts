import { randomBytes } from 'node:crypto';
import type { Backend } from './backends.ts';
import type { Tenancy } from './build.ts';
import { clientOf } from './client.ts';
import { createCounterparty } from './counterparty.ts';

let count = 0;

export const NETTING_SETS = '/investment/collateral-xva/netting-sets';

/** Returns terms of a netting set that differ from the terms in every other test. */
export function termsOf(counterparty: number, more: Record<string, unknown> = {}): Record<string, unknown> {
  const number = `${process.pid}-${++count}`;
  return {
    name: `CSA ${number}`,
    counterparty_id: counterparty,
    agreement_type: 'bilateral',
    currency: 'USD',
    threshold_minor: 100_000_000,
    minimum_transfer_minor: 50_000_000,
    independent_amount_minor: -2_500,
    amount_scale: 2,
    source_reference: `csa/${number}`,
    source_hash: randomBytes(32).toString('hex'),
    ...more,
  };
}

/** Creates a netting set in a tenancy; returns its uid. */
export async function createNettingSet(backend: Backend, { workspace, key }: Tenancy): Promise<string> {
  const terms = termsOf(await createCounterparty(backend, workspace));
  return (await clientOf(backend, key).post(NETTING_SETS, terms)).body.uid;
}
