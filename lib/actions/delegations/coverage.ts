import { instantOf } from '#lib/core/clock.ts';
import type { AuthorityBody } from '../authority/authority-body.ts';
import type { DelegationTerms } from './terms.ts';

/** A term of a delegation that an authority does not cover, with the violated condition. */
export type FailedAtom = { path: string; op: string; expected: unknown; actual: unknown };

const tiers = ['T1', 'T2', 'T3'];

/**
 * Returns each term that an authority to approve delegations does not cover. Returns an empty list if the authority
 * covers all terms.
 */
export function uncovered(authority: AuthorityBody, terms: DelegationTerms): FailedAtom[] {
  const failed: FailedAtom[] = [];
  const need = (isMet: boolean, path: string, op: string, expected: unknown, actual: unknown) => {
    if (!isMet) failed.push({ path, op, expected, actual });
  };
  const { actions, capabilities, connectors, counterparties, limits, max_risk_tier, valid_until } = authority;
  need(
    capabilities.includes('approve_delegation'),
    'capabilities',
    'contains',
    'approve_delegation',
    capabilities,
  );
  need(actions.includes(terms.action), 'action', 'in', actions, terms.action);
  need(
    connectors === 'any_registered' || connectors.includes(terms.connector),
    'connector',
    'in',
    connectors,
    terms.connector,
  );
  need(
    counterparties === 'any_registered' || counterparties.includes(terms.counterparty_id),
    'counterparty_id',
    'in',
    counterparties,
    terms.counterparty_id,
  );
  need(
    tiers.includes(terms.risk_tier) && tiers.indexOf(terms.risk_tier) <= tiers.indexOf(max_risk_tier),
    'risk_tier',
    'lte',
    max_risk_tier,
    terms.risk_tier,
  );
  need(
    instantOf(terms.valid_until) <= instantOf(valid_until),
    'valid_until',
    'lte',
    valid_until,
    terms.valid_until,
  );
  const limit = limits.find(({ currency }) => currency === terms.currency);
  need(
    limit !== undefined,
    'currency',
    'in',
    limits.map(({ currency }) => currency),
    terms.currency,
  );
  for (const bound of ['per_action_minor', 'per_day_minor', 'per_month_minor'] as const) {
    const max = limit?.[bound];
    if (max === undefined || max === null) continue;
    need(terms.budgets[bound] <= max, `budgets.${bound}`, 'lte', max, terms.budgets[bound]);
  }
  return failed;
}
