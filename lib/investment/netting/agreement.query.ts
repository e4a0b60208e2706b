import { utcDate } from '#lib/core/clock.ts';
import { isUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { invalid, Problem } from '#lib/core/problem.ts';
import type { Em } from '#lib/database/base.ts';
import { NettingSet } from './netting-set.entity.ts';

/** How a request about a netting set can be refused. */
export const agreementRefusals = ['not_found', 'netting_set_superseded', 'currency_mismatch'] as const;

/**
 * The agreement of a netting set as the sealed input keeps it. Throws the problem of a netting set that is unknown, that
 * other terms have superseded, or that is in another currency.
 */
export async function agreementMembers(em: Em, uid: string, currency: string) {
  const found = isUid(uid, prefixes.nettingSet) ? await em.findOne(NettingSet, { uid }) : null;
  if (!found) throw new Problem('not_found', 'There is no such netting set.');
  const { terms, termsHash, conflictsOpen, supersededAt } = found;
  if (supersededAt) {
    const detail = `Other terms took its place at ${supersededAt.toISOString()}.`;
    throw new Problem('netting_set_superseded', detail);
  }
  if (currency !== terms.currency) {
    const detail = `The netting set is in ${terms.currency}, and nothing is converted.`;
    throw new Problem('currency_mismatch', detail);
  }
  return { netting_set_uid: found.uid, terms_hash: termsHash, conflicts_open: conflictsOpen };
}

/** Refuses a valuation of a day that has not begun. */
export function requirePast(valuationDate: string, now: Date): void {
  const today = utcDate(now);
  if (valuationDate <= today) return;
  const message = `must not be after today, ${today}`;
  throw invalid([{ pointer: '/valuation_date', in: 'body', code: 'in_future', message }]);
}
