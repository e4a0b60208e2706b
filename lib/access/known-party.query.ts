import type { Em } from '#lib/database/base.ts';
import { Counterparty, type CounterpartyKind } from './counterparty.entity.ts';

/** Whether the em's workspace has a party of this kind, by its number or its key, that is not archived. */
export async function isKnownParty(
  em: Em,
  kind: CounterpartyKind,
  named: { id: number } | { key: string },
): Promise<boolean> {
  return (await em.count(Counterparty, { ...named, kind, state: 'active' })) > 0;
}
