import Type from 'typebox';
import { isUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, pageQuery } from '#lib/core/schema.ts';
import { listConfirmedBatches, readBatch } from '#lib/actions/execution/batch/batch.query.ts';
import { legacyCandidates, type Candidate } from '#lib/actions/execution/batch/legacy.query.ts';
import { listReply } from '../../http/page.ts';
import { defineOperation } from '../../services.ts';
import { Batch, BatchList, Portfolio, State } from './batch.schema.ts';
import { presentBatch, presentSummary } from './presenters.ts';

const PATH = '/actions/investment-execution';
const CANDIDATES_MAX = 200;

export const listOrderBatches = defineOperation({
  key: 'actions.investment_execution.list',
  product: 'Financial Actions',
  method: 'GET',
  path: PATH,
  scope: 'investment:read',
  summary: 'Lists order batches, newest first, and the batches of earlier systems that can be linked.',
  description:
    'Returns the batches of the workspace in the environment of the credential, with the reasons why ' +
    'they cannot be closed. The first page also has the eligible candidates of earlier systems, ' +
    'unless a state is requested. The operation never links a candidate.',
  query: Closed({
    ...pageQuery,
    state: Type.Optional({ ...State, description: 'Returns only batches in this state.' }),
    portfolio: Type.Optional({ ...Portfolio, description: 'Returns only batches of this portfolio.' }),
    since: Type.Optional(InstantOf('Returns only batches and candidates created at or after this instant.')),
  }),
  success: { status: 200, description: 'A page of batches, and candidates.', schema: BatchList },
  problems: ['invalid_cursor'],
  async handle({ services, query }) {
    const { state, portfolio } = query;
    const now = services.clock.now();
    const since = query.since === undefined ? undefined : storable(new Date(query.since));
    let candidates: Candidate[] = [];
    const reply = await listReply(services, query, {
      list: PATH,
      filters: { state: state ?? null, portfolio: portfolio ?? null, since: query.since ?? null },
      rows: async (em, page) => {
        const found = await listConfirmedBatches(em, { state, portfolio, since, ...page });
        if (query.cursor === undefined && state === undefined) {
          candidates = await legacyCandidates(em, { portfolio, since, limit: CANDIDATES_MAX });
        }
        return found;
      },
      present: ({ batch, confirmations }) => presentSummary(batch, confirmations, now),
    });
    return { ...reply, body: { ...reply.body, legacy_candidates: candidates.map(presentCandidate) } };
  },
});

export const getOrderBatch = defineOperation({
  key: 'actions.investment_execution.get',
  product: 'Financial Actions',
  method: 'GET',
  path: `${PATH}/{uid}`,
  scope: 'investment:read',
  addition: true,
  summary: 'Returns an order batch with its orders.',
  description:
    'The response has the orders with their hashes, the controls, the evidence, and the reasons why the batch cannot be closed.',
  success: { status: 200, description: 'The batch.', schema: Batch },
  problems: ['not_found'],
  async handle({ services, params, fail }) {
    const now = services.clock.now();
    const { uid } = params;
    const found = isUid(uid, prefixes.orderBatch) ? await services.query(readBatch, uid) : undefined;
    if (!found) fail('not_found', 'The order batch does not exist.');
    const { batch, orders, confirmations } = found!;
    return { status: 200, body: presentBatch(batch, orders, confirmations, now) };
  },
});

/**
 * Returns the instant, clamped to the years 1 to 9999, because the database can compare only instants in these years. A
 * time zone offset can move an instant out of these years.
 */
function storable(instant: Date): Date {
  const [first, last] = [new Date('0001-01-01T00:00:00Z'), new Date('9999-12-31T23:59:59.999Z')];
  return instant < first ? first : instant > last ? last : instant;
}

function presentCandidate({ legacy, eligibility }: Candidate) {
  return {
    legacy_uid: legacy.uid,
    source_system: legacy.sourceSystem,
    legacy_reference: legacy.legacyReference,
    portfolio_uid: legacy.portfolioUid,
    created_at: legacy.createdAt.toISOString(),
    order_count: legacy.orderCount,
    eligible: true as const,
    eligibility,
    reason_not_linked: 'import_required' as const,
  };
}
