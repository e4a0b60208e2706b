import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Instant, ListOf, Minor, Nullable, pageQuery, Sha256Of, Uid } from '#lib/core/schema.ts';
import { minorDigits } from '#lib/core/money.ts';
import type { Em } from '#lib/database/base.ts';
import {
  authorityKind,
  authorityTiers,
  capabilities,
  type AuthorityBody,
} from '#lib/actions/control/authority.ts';
import { membersOf, roleKind } from '#lib/actions/control/role.ts';
import { DelegationApproval, Delegation } from '#lib/actions/delegation/delegation.entity.ts';
import { GovernedRecord } from '#lib/governance/governed/governed-record.entity.ts';
import { Person } from '#lib/workspace/person.entity.ts';
import { listReply } from '../http/page.ts';
import { defineOperation } from '../services.ts';
import { tenantOf } from '../tenant.ts';

const PATH = '/actions/authorities';
const statuses = ['active', 'scheduled', 'suspended', 'expired', 'revoked', 'superseded'] as const;
type Status = (typeof statuses)[number];

const key = (description: string, example: string) =>
  Type.String({ pattern: '^[a-z][a-z0-9_.-]{0,63}$', description, examples: [example] });
const Any = Type.Literal('any_registered', { description: 'Every one that is registered.' });

const Authority = Closed(
  {
    uid: Uid(prefixes.authority, 'This version of the authority.'),
    key: key('What its versions share.', 'treasury-approver'),
    version: Type.Integer({ minimum: 1, description: 'A change is a new version.' }),
    name: Type.String({ description: 'Its name.', examples: ['Treasury approver'] }),
    grantee: Closed(
      {
        kind: Type.Enum(['user', 'role'], { description: 'Whether a person has it, or who has a role.' }),
        uid: Type.String({
          description: 'The person, or the role.',
          examples: ['per_01K8XQ5W3ZJ6T9R2M4N7P0QABC'],
        }),
        name: Type.String({ description: 'Its name.', examples: ['Aldo Approver'] }),
        members: Nullable(Type.Integer({ minimum: 0 }), 'How many have the role now; null of a person.'),
      },
      { title: 'Grantee', description: 'Who has it.' },
    ),
    actions: Type.Array(key('An action of the catalogue.', 'obligation.pay'), { description: 'For what.' }),
    capabilities: Type.Array(Type.Enum([...capabilities]), { description: 'To do what about it.' }),
    connectors: Type.Union([Type.Array(key('A connector.', 'sepa_ct')), Any], {
      description: 'Through which connectors.',
    }),
    counterparties: Type.Union(
      [Type.Array(Type.Integer({ minimum: 1, description: 'A counterparty.', examples: [1] })), Any],
      { description: 'With whom.' },
    ),
    max_risk_tier: Type.Enum([...authorityTiers], { description: 'Up to which tier of risk.' }),
    limits: Type.Array(
      Closed(
        {
          currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.', examples: ['EUR'] }),
          amount_scale: Type.Integer({ minimum: 0, maximum: 4, description: 'Decimals of the currency.' }),
          per_action_minor: Minor('The most of one action.', 1),
          per_day_minor: Nullable(Minor('The most of a day.', 1), 'The most of a day; null is no bound.'),
          per_month_minor: Nullable(
            Minor('The most of a month.', 1),
            'The most of a month; null is no bound.',
          ),
        },
        { title: 'AuthorityLimit', description: 'The limit in one currency.' },
      ),
      { description: 'One a currency; there is none for others.' },
    ),
    valid_from: Instant,
    valid_until: Instant,
    status: Type.Enum([...statuses], { description: 'Only `active` counts.' }),
    supports_delegations: Type.Integer({
      minimum: 0,
      description: 'Delegations in force that it approved; they are suspended when it ends.',
    }),
    granted_under: Nullable(
      key('The grantor’s own authority.', 'treasury-head'),
      'The grantor’s own authority; null is the ceiling of the workspace.',
    ),
    granted_by: Nullable(Uid(prefixes.person, 'Who granted it.'), 'Who granted it.'),
    approved_by: Nullable(Uid(prefixes.person, 'Who approved the grant.'), 'Who approved the grant.'),
    created_at: Instant,
    ended_at: Nullable(Instant, 'When it ended.'),
    end_reason: Nullable(Type.String({ examples: ['superseded'] }), 'Why it ended.'),
    authority_hash: Sha256Of('SHA-256 of it.'),
  },
  { title: 'Authority', description: 'What a person or a role may decide, with limits.' },
);

export const listAuthorities = defineOperation({
  key: 'actions.authorities.list',
  product: 'Financial Actions',
  method: 'GET',
  path: PATH,
  scope: 'actions:read',
  summary: 'Lists what persons and roles may decide, now and in the past.',
  description:
    'Authorities come into force on the operators’ surface only, by two persons who are not the grantee. Their terms ' +
    'never change: a change is a new version.',
  query: Closed({
    ...pageQuery,
    status: Type.Optional(
      Type.Enum([...statuses, 'all'], {
        description: 'Only those with this status; all of them where it is left out.',
      }),
    ),
    grantee: Type.Optional(
      Type.String({ maxLength: 64, description: 'The uid of a person, or the key of a role.' }),
    ),
    action: Type.Optional(key('Only those for this action.', 'obligation.pay')),
    currency: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{3}$',
        description: 'Only those with a limit in it.',
        examples: ['EUR'],
      }),
    ),
  }),
  success: { status: 200, description: 'A page of authorities.', schema: ListOf(Authority) },
  problems: ['invalid_cursor'],
  async handle({ services, query, caller }) {
    const now = services.clock.now();
    const { status = 'all', grantee, action, currency } = query;
    const tenant = tenantOf(caller);
    return listReply(services, query, {
      list: PATH,
      filters: {
        status: query.status ?? null,
        grantee: grantee ?? null,
        action: action ?? null,
        currency: currency ?? null,
      },
      rows: async (em, { after, most }) => {
        const members = await membersOf(em, tenant, now);
        const rows: Static<typeof Authority>[] = [];
        let before = after;
        for (;;) {
          const found = await page(em, before, most);
          for (const each of found) {
            before = each.uid;
            const body = each.body as AuthorityBody;
            const isWanted =
              (status === 'all' || statusOf(each, now) === status) &&
              (!grantee || granteeOf(body) === grantee) &&
              (!action || body.actions.includes(action)) &&
              (!currency || body.limits.some((limit) => limit.currency === currency));
            if (isWanted) rows.push(await present(em, each, members, now));
            if (rows.length === most) return rows;
          }
          if (found.length < most) return rows;
        }
      },
      present: (row) => row,
    });
  },
});

/** What was never in force is nobody's authority. */
async function page(em: Em, after: string | undefined, most: number): Promise<GovernedRecord[]> {
  return em.find(
    GovernedRecord,
    {
      kind: authorityKind.kind,
      state: { $in: ['active', 'suspended', 'ended'] },
      ...(after ? { uid: { $lt: after } } : {}),
    },
    { orderBy: { uid: 'desc' }, limit: most },
  );
}

function granteeOf({ grantee }: AuthorityBody): string {
  return grantee.kind === 'user' ? grantee.person_uid : grantee.role;
}

function statusOf({ state, body, endReason }: GovernedRecord, now: Date): Status {
  const { valid_from, valid_until } = body as AuthorityBody;
  if (state === 'ended') return endReason === 'superseded' ? 'superseded' : 'revoked';
  if (new Date(valid_until) <= now) return 'expired';
  if (state === 'suspended') return 'suspended';
  return new Date(valid_from) > now ? 'scheduled' : 'active';
}

async function present(
  em: Em,
  record: GovernedRecord,
  members: ReadonlyMap<string, readonly string[]>,
  now: Date,
): Promise<Static<typeof Authority>> {
  const body = record.body as AuthorityBody;
  const approved = await em.find(DelegationApproval, { authorityUid: record.uid, state: 'counted' });
  return {
    uid: record.uid,
    key: record.key,
    version: record.version,
    name: record.name,
    grantee: await presentGrantee(em, body, members),
    actions: body.actions,
    capabilities: body.capabilities,
    connectors: body.connectors,
    counterparties: body.counterparties,
    max_risk_tier: body.max_risk_tier,
    limits: body.limits.map((limit) => ({ ...limit, amount_scale: minorDigits(limit.currency)! })),
    valid_from: new Date(body.valid_from).toISOString(),
    valid_until: new Date(body.valid_until).toISOString(),
    status: statusOf(record, now),
    supports_delegations: await em.count(Delegation, {
      uid: { $in: approved.map(({ delegationUid }) => delegationUid) },
      state: 'activated',
    }),
    granted_under: body.granted_under,
    granted_by: record.submittedByUid ?? null,
    approved_by: record.approvedByUid ?? null,
    created_at: record.createdAt.toISOString(),
    ended_at: record.endedAt?.toISOString() ?? null,
    end_reason: record.endReason ?? null,
    authority_hash: record.bodyHash,
  };
}

async function presentGrantee(
  em: Em,
  { grantee }: AuthorityBody,
  members: ReadonlyMap<string, readonly string[]>,
) {
  if (grantee.kind === 'user') {
    const person = await em.findOne(Person, { uid: grantee.person_uid });
    return { kind: 'user' as const, uid: grantee.person_uid, name: person?.name ?? '', members: null };
  }
  const role = await em.findOne(GovernedRecord, { kind: roleKind.kind, key: grantee.role, state: 'active' });
  const count = members.get(grantee.role)?.length ?? 0;
  return {
    kind: 'role' as const,
    uid: role?.uid ?? grantee.role,
    name: role?.name ?? grantee.role,
    members: count,
  };
}
