import { utcDate } from '#lib/core/clock.ts';
import { isUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { invalid, Problem } from '#lib/core/problem.ts';
import type { Em } from '#lib/database/base.ts';
import { NettingSet } from './netting-set.entity.ts';

/** The refusals of a request about a netting set. */
export const agreementRefusals = ['not_found', 'netting_set_superseded', 'currency_mismatch'] as const;

/**
 * Returns the agreement of a netting set, in the form that the sealed input contains. Throws a problem if the netting
 * set is unknown, if other terms superseded it, or if it is in another currency.
 */
export async function agreementMembers(em: Em, uid: string, currency: string) {
  const found = isUid(uid, prefixes.nettingSet) ? await em.findOne(NettingSet, { uid }) : null;
  if (!found) throw new Problem('not_found', 'This netting set does not exist.');
  const { terms, termsHash, conflictsOpen, supersededAt } = found;
  if (supersededAt) {
    const detail = `Newer terms superseded this netting set at ${supersededAt.toISOString()}. Use the netting set that is in force.`;
    throw new Problem('netting_set_superseded', detail);
  }
  if (currency !== terms.currency) {
    const detail = `The netting set is in ${terms.currency}. Amounts are never converted, so all amounts of the request must be in ${terms.currency}.`;
    throw new Problem('currency_mismatch', detail);
  }
  return { netting_set_uid: found.uid, terms_hash: termsHash, conflicts_open: conflictsOpen };
}

/** Refuses a valuation date in the future. */
export function requirePast(valuationDate: string, now: Date): void {
  const today = utcDate(now);
  if (valuationDate <= today) return;
  const message = `must not be after today, ${today}`;
  throw invalid([{ pointer: '/valuation_date', in: 'body', code: 'in_future', message }]);
}
