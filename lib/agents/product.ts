import { defineProduct } from '#lib/core/product.ts';

/** Operations as tools of agents, and what agents called. */
export const agents = defineProduct({
  folder: 'agents',
  serves: {
    Agents: { paths: ['/agents', '/mcp'], about: 'The tools that agents may call, and what they called.' },
  },
  scopes: ['agents:mcp:read'],
  prefixes: {
    agentInvocation: 'inv',
  },
  problems: {
    origin_not_allowed: { status: 403, title: 'The page that calls is of a foreign origin' },
  },
  tables: {
    /** What agents called; nobody changes it, and workers forget it. */
    agent_invocation: {
      rows: 'environment',
      operator: 'select',
      api: 'select, insert',
      worker: 'select, delete',
    },
  },
});
