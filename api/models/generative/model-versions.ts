import Type, { type Static } from 'typebox';
import { Closed, ListOf, pageQuery } from '#lib/core/schema.ts';
import { LqmCard, LqmState, presentLqm, ServedOn } from '#lib/models/registry/lqm-card.ts';
import type { LqmFamily } from '#lib/models/registry/lqm.ts';
import { findLqms } from '#lib/models/registry/lqm.query.ts';
import { listReply } from '../../http/page.ts';
import type { Services } from '../../services.ts';

export const versionsQuery = Closed({
  ...pageQuery,
  state: Type.Optional(LqmState),
  served_on: Type.Optional(ServedOn),
});

export const VersionsPage = {
  status: 200 as const,
  description: 'A page of versions.',
  schema: ListOf(LqmCard),
};

/**
 * Returns the success reply of a list of numeric model versions under `path`, optionally of one model family.
 */
export function versionsReply(
  services: Services,
  query: Static<typeof versionsQuery>,
  { list, family }: { list: string; family?: LqmFamily },
) {
  const { state, served_on: servedOn } = query;
  return listReply(services, query, {
    list,
    filters: { state: state ?? null, served_on: servedOn ?? null },
    hasLargeRows: true,
    rows: (em, { after, limit }) => findLqms(em, { state, servedOn, family, after, limit }),
    present: presentLqm,
    position: ({ versionUid }) => versionUid,
  });
}
