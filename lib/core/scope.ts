import { scopes, type Scope } from '#lib/products.ts';

/** The scopes of the published interface. Each product declares its own scopes. */
export { scopes, type Scope };

export function isScope(text: string): text is Scope {
  return (scopes as readonly string[]).includes(text);
}
