import { instantMs } from '#lib/core/date.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import type { EntitlementTerms } from './terms.schema.ts';

/** Everything that a second person approves: who may use which dataset, on which terms, under which licence. */
export type Agreement = {
  dataset_uid: string;
  assignee: string;
  terms: EntitlementTerms;
  licence: { source_reference: string | null; source_hash: string };
};

/** Returns the SHA-256 of an agreement. Omitted lists are empty lists. */
export function agreementHash({ terms, ...agreement }: Agreement): string {
  return canonicalHash({ ...agreement, terms: { prohibitions: [], duties: [], ...terms } });
}

/** Whether every period of the terms ends after it begins. */
export function hasValidPeriods({ permissions, prohibitions = [], ...terms }: EntitlementTerms): boolean {
  const periods = [terms, ...[...permissions, ...prohibitions].map(({ constraints }) => constraints)];
  return periods.every(
    ({ valid_from: from, valid_until: until }) =>
      from === undefined || until === undefined || instantMs(from) < instantMs(until),
  );
}
