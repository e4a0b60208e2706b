import { defineProduct } from '#lib/core/product.ts';

/** Operations offered as tools to agents, and the recorded tool calls. */
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
    /**
     * The recorded tool calls of agents. A record never changes. Workers delete records after their retention
     * period.
     */
    agent_invocation: {
      rows: 'environment',
      operator: 'select',
      api: 'select, insert',
      worker: 'select, delete',
    },
  },
});
