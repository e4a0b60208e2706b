import Type from 'typebox';
import { Closed, ListOf, pageQuery } from '#lib/core/schema.ts';
import { findLqms } from '#lib/registry/lqm.repository.ts';
import { listReply } from '../../http/page.ts';
import { LqmCard, LqmState, presentLqm, ServedOn } from '#lib/registry/lqm-card.ts';
import { defineOperation } from '../../services.ts';

export const listMlModels = defineOperation({
  key: 'ml.models.list',
  product: 'Models',
  method: 'GET',
  path: '/ml/models',
  scope: 'ml:read',
  summary: 'Lists the versions of numeric models, newest first.',
  description:
    'Of this workspace in the environment of the credential. `serves` marks the one that runs use.',
  query: Closed({ ...pageQuery, state: Type.Optional(LqmState), served_on: Type.Optional(ServedOn) }),
  success: { status: 200, description: 'A page of versions.', schema: ListOf(LqmCard) },
  problems: ['invalid_cursor'],
  async handle({ services, query }) {
    const { state, served_on: servedOn } = query;
    return listReply(services, query, {
      list: '/ml/models',
      filters: { state: state ?? null, served_on: servedOn ?? null },
      rows: (em, { after, most }) => findLqms(em, { state, servedOn, after, most }),
      present: presentLqm,
      position: ({ versionUid }) => versionUid,
    });
  },
});
