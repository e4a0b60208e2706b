import type { Em } from '#lib/database/base.ts';
import { Counterparty, type CounterpartyKind } from './counterparty.entity.ts';

/** Whether the workspace of `em` has an active party of this kind, named by its id or its key. */
export async function isKnownParty(
  em: Em,
  kind: CounterpartyKind,
  named: { id: number } | { key: string },
): Promise<boolean> {
  return (await em.count(Counterparty, { ...named, kind, state: 'active' })) > 0;
}
