import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Instant, ListOf, Minor, Nullable, pageQuery, Sha256Of, Uid } from '#lib/core/schema.ts';
import { minorDigits } from '#lib/core/money.ts';
import { authorityTiers, capabilities } from '#lib/actions/authority/authority.ts';
import {
  authorityStatuses,
  listAuthorities as readAuthorities,
} from '#lib/actions/authority/authority.query.ts';
import type { ListedAuthority } from '#lib/actions/authority/authority.query.ts';
import { listReply } from '../http/page.ts';
import { defineOperation } from '../services.ts';
import { tenantOf } from '../tenant.ts';

const PATH = '/actions/authorities';

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
    status: Type.Enum([...authorityStatuses], { description: 'Only `active` counts.' }),
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
      Type.Enum([...authorityStatuses, 'all'], {
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
    const filter = { status: status === 'all' ? undefined : status, grantee, action, currency };
    const tenant = tenantOf(caller);
    return listReply(services, query, {
      list: PATH,
      filters: {
        status: query.status ?? null,
        grantee: grantee ?? null,
        action: action ?? null,
        currency: currency ?? null,
      },
      rows: (em, page) => readAuthorities(em, { tenant, now, filter }, page),
      present,
    });
  },
});

function present({ record, body, status, grantee, supports }: ListedAuthority): Static<typeof Authority> {
  return {
    uid: record.uid,
    key: record.key,
    version: record.version,
    name: record.name,
    grantee,
    actions: body.actions,
    capabilities: body.capabilities,
    connectors: body.connectors,
    counterparties: body.counterparties,
    max_risk_tier: body.max_risk_tier,
    limits: body.limits.map((limit) => ({ ...limit, amount_scale: minorDigits(limit.currency)! })),
    valid_from: new Date(body.valid_from).toISOString(),
    valid_until: new Date(body.valid_until).toISOString(),
    status,
    supports_delegations: supports,
    granted_under: body.granted_under,
    granted_by: record.submittedByUid ?? null,
    approved_by: record.approvedByUid ?? null,
    created_at: record.createdAt.toISOString(),
    ended_at: record.endedAt?.toISOString() ?? null,
    end_reason: record.endReason ?? null,
    authority_hash: record.bodyHash,
  };
}
