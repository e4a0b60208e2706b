import { AgentInvocation } from './agent-invocation.entity.ts';

/** The entities of this folder's tables. */
export const entities = [AgentInvocation];
