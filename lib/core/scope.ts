/** The scopes of the published interface, section 5 rule 6. */
export const scopes = [
  'actions:create',
  'actions:read',
  'actions:execute',
  'investment:run',
  'investment:read',
  'investment:execute',
  'generative:inference',
  'generative:models:read',
  'planning:forecast:create',
  'planning:read',
  'quant:research:run',
  'quant:research:read',
  'quant:models:run',
  'quant:models:read',
  'quant:features:read',
  'quant:compute:run',
  'quant:compute:read',
  'lqm:build:run',
  'qlm:read',
  'qlm:evaluate',
  'qlm:invoke',
  'commercial:read',
  'trust:write',
  'ai:connections:read',
  'workflow:read',
  'workflow:manage',
  'intelligence:read',
  'infrastructure:read',
  'infrastructure:lineage',
  'agents:mcp:read',
  'marketplace:read',
  'data:economics:read',
  'data:market:read',
  'data:fundamentals:read',
  'data:reference:read',
  'ml:inference',
  'ml:read',
  'benchmark:read',
  'financial:read',
  'workspace:read',
] as const;

export type Scope = (typeof scopes)[number];

export function isScope(text: string): text is Scope {
  return (scopes as readonly string[]).includes(text);
}
