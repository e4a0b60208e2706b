import type { Tool } from './tool.ts';

/** The number of sets of scopes for which results are cached. */
const KEPT_MAX = 16;

type Held = ReadonlySet<string>;

/**
 * Caches the results of `make` for the most recently used sets of scopes. `make` builds a result
 * from the tools that a caller with these scopes may use.
 */
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
