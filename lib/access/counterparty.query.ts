import type { Em } from '#lib/database/base.ts';
import { Counterparty, type CounterpartyKind } from './counterparty.entity.ts';

/** The parties of one kind that the caller's workspace has, in the order in which they were created. */
export function listParties(em: Em, kind: CounterpartyKind): Promise<Counterparty[]> {
  return em.find(Counterparty, { kind }, { orderBy: { id: 'asc' } });
}

/** The party of a name in any workspace. For operators. */
export function findPartyByName(
  em: Em,
  workspaceUid: string,
  kind: CounterpartyKind,
  name: string,
): Promise<Counterparty | null> {
  return em.findOne(Counterparty, { workspaceUid, kind, name }, { filters: false });
}
