import type { Em } from '#lib/database/base.ts';
import { Counterparty, type CounterpartyKind } from './counterparty.entity.ts';

/** Returns the parties of one kind in the caller's workspace, in order of creation. */
export function listParties(em: Em, kind: CounterpartyKind): Promise<Counterparty[]> {
  return em.find(Counterparty, { kind }, { orderBy: { id: 'asc' } });
}

/** Returns the party of a workspace with this kind and name; null if there is none. For operators. */
export function findPartyByName(
  em: Em,
  workspaceUid: string,
  kind: CounterpartyKind,
  name: string,
): Promise<Counterparty | null> {
  return em.findOne(Counterparty, { workspaceUid, kind, name }, { filters: false });
}
