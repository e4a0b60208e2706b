import type { Tool } from './tool.ts';

/** Sets of scopes for which something large is kept. */
const KEPT_MAX = 16;

type Held = ReadonlySet<string>;

/** What `make` makes of the tools and the scopes of a caller, kept for the sets of scopes that were asked for last. */
export function perScopes<Made>(
  tools: readonly Tool[],
  make: (tools: readonly Tool[], held: Held) => Made,
): (held: Held) => Made {
  const scopes = [...new Set(tools.map(({ scope }) => scope))];
  const kept = new Map<string, Made>();
  return (held) => {
    const key = scopes.filter((scope) => held.has(scope)).join(' ');
    const made = kept.get(key) ?? make(tools, held);
    kept.delete(key);
    kept.set(key, made);
    if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value!);
    return made;
  };
}
