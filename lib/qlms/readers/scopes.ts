import type { Scope } from '#lib/core/scope.ts';
import { domains, type Domain } from '../language/catalogue.ts';

/** The scope that gives access to the data of each domain. The same scope is needed to read the data over HTTP. */
export const scopeOf: Readonly<Record<Domain, Scope>> = {
  economics: 'data:economics:read',
  market: 'data:market:read',
  companies: 'planning:read',
  ledger: 'financial:read',
  actions: 'actions:read',
  execution: 'investment:read',
  forecasts: 'planning:read',
  factors: 'investment:read',
  scenarios: 'generative:models:read',
  model: 'ml:read',
  workflows: 'workflow:read',
  // There is no scope to only read packs. The scope to make packs also permits reading them.
  trust: 'trust:write',
  data: 'data:reference:read',
};

/** The scope that features need besides the scope of their domain. Features need it over HTTP too. */
export const featureScope: Scope = 'quant:features:read';

/** Returns the domains of a profile that the scopes of a caller give access to. */
export function openDomains(allowed: readonly Domain[], scopes: ReadonlySet<string>): ReadonlySet<Domain> {
  return new Set(domains.filter((each) => allowed.includes(each) && scopes.has(scopeOf[each])));
}
