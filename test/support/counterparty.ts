import { inPlatform } from '#lib/database/orm.ts';
import { Counterparty } from '#lib/access/counterparty.entity.ts';
import type { CounterpartyKind } from '#lib/access/counterparty.entity.ts';
import type { Backend } from './backends.ts';

let count = 0;

/** Creates a counterparty of a workspace and returns its `counterparty_id`. */
export function createCounterparty(
  backend: Pick<Backend, 'orm'>,
  workspace: string,
  kind: CounterpartyKind = 'counterparty',
): Promise<number> {
  return inPlatform(backend.orm('operator'), async (em) => {
    const made = em.create(Counterparty, {
      workspaceUid: workspace,
      kind,
      name: `Party ${++count}`,
      state: 'active',
      createdAt: new Date(),
    });
    await em.flush();
    return made.id;
  });
}
