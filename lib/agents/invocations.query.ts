import type { Em } from '#lib/database/base.ts';
import { AgentInvocation } from './agent-invocation.entity.ts';

export type InvocationsQuestion = {
  tool?: string | undefined;
  decision?: AgentInvocation['decision'] | undefined;
  after?: string | undefined;
  limit: number;
};

/** Lists tool calls of the current tenant, newest first. */
export function findInvocations(
  em: Em,
  { tool, decision, after, limit }: InvocationsQuestion,
): Promise<AgentInvocation[]> {
  return em.find(
    AgentInvocation,
    {
      ...(after ? { uid: { $lt: after } } : {}),
      ...(tool ? { toolName: tool } : {}),
      ...(decision ? { decision } : {}),
    },
    { orderBy: { uid: 'desc' }, limit },
  );
}
