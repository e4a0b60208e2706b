import type { Em } from '#lib/database/base.ts';
import { utcDate, type Clock } from '#lib/core/clock.ts';
import { isUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { NettingSet } from '#lib/investment/netting-set.entity.ts';
import { invalid } from '../../derive/router.ts';

/** The netting set that a run is submitted for; undefined where the caller has none under this uid. */
export async function findAgreement(em: Em, uid: string): Promise<NettingSet | undefined> {
  const found = isUid(uid, prefixes.nettingSet) ? await em.findOne(NettingSet, { uid }) : null;
  return found ?? undefined;
}

/** How the agreement stands at the time of the submission, as the sealed input keeps it. */
export function agreementMembers({ uid, termsHash, conflictsOpen }: NettingSet) {
  return { netting_set_uid: uid, terms_hash: termsHash, conflicts_open: conflictsOpen };
}

/** Refuses a valuation of a day that has not begun. */
export function requirePast(valuationDate: string, clock: Clock): void {
  const today = utcDate(clock.now());
  if (valuationDate <= today) return;
  const message = `must not be after today, ${today}`;
  throw invalid([{ pointer: '/valuation_date', in: 'body', code: 'in_future', message }]);
}

export const superseded = ({ supersededAt }: NettingSet): string =>
  `Other terms took its place at ${supersededAt!.toISOString()}.`;

export const otherCurrency = ({ terms }: NettingSet): string =>
  `The netting set is in ${terms.currency}, and nothing is converted.`;
