import { defineProduct } from '#lib/core/product.ts';

/** Operations as tools of agents, and the calls of agents. */
export const agents = defineProduct({
  folder: 'agents',
  serves: {
    Agents: { paths: ['/agents', '/mcp'], about: 'The tools that agents may call, and the calls they made.' },
  },
  scopes: ['agents:mcp:read'],
  prefixes: {
    agentInvocation: 'inv',
  },
  problems: {
    origin_not_allowed: { status: 403, title: 'Web pages of this origin may not call the service' },
  },
  tables: {
    /** The calls of agents. They never change, and workers delete expired ones. */
    agent_invocation: {
      rows: 'environment',
      operator: 'select',
      api: 'select, insert',
      worker: 'select, delete',
    },
  },
});
