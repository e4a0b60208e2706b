import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Instant, ListOf, Minor, Nullable, pageQuery, Sha256Of, Uid } from '#lib/core/schema.ts';
import { minorDigits } from '#lib/core/money.ts';
import { authorityTiers, capabilities } from '#lib/actions/authority/authority-body.ts';
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
const Any = Type.Literal('any_registered', { description: 'Every registered connector or counterparty.' });

const Authority = Closed(
  {
    uid: Uid(prefixes.authority, 'The uid of this version of the authority.'),
    key: key('The key that all versions share.', 'treasury-approver'),
    version: Type.Integer({ minimum: 1, description: 'The version. Each change is a new version.' }),
    name: Type.String({ description: 'The name of the authority.', examples: ['Treasury approver'] }),
    grantee: Closed(
      {
        kind: Type.Enum(['user', 'role'], { description: 'Whether the grantee is a person or a role.' }),
        uid: Type.String({
          description: 'The uid of the person or the role.',
          examples: ['per_01K8XQ5W3ZJ6T9R2M4N7P0QABC'],
        }),
        name: Type.String({ description: 'The name of the grantee.', examples: ['Aldo Approver'] }),
        members: Nullable(
          Type.Integer({ minimum: 0 }),
          'The number of current members of the role; null for a person.',
        ),
      },
      { title: 'Grantee', description: 'The person or role that has the authority.' },
    ),
    actions: Type.Array(key('The key of an action in the catalogue.', 'obligation.pay'), {
      description: 'The actions that the authority covers.',
    }),
    capabilities: Type.Array(Type.Enum([...capabilities]), {
      description: 'The steps of an action that the grantee may take.',
    }),
    connectors: Type.Union([Type.Array(key('The key of a connector.', 'sepa_ct')), Any], {
      description: 'The connectors that the authority covers.',
    }),
    counterparties: Type.Union(
      [
        Type.Array(Type.Integer({ minimum: 1, description: 'The id of a counterparty.', examples: [1] })),
        Any,
      ],
      { description: 'The counterparties that the authority covers.' },
    ),
    max_risk_tier: Type.Enum([...authorityTiers], {
      description: 'The highest risk tier that the authority covers.',
    }),
    limits: Type.Array(
      Closed(
        {
          currency: Type.String({
            pattern: '^[A-Z]{3}$',
            description: 'The currency, ISO 4217.',
            examples: ['EUR'],
          }),
          amount_scale: Type.Integer({
            minimum: 0,
            maximum: 4,
            description: 'The number of decimals of the currency.',
          }),
          per_action_minor: Minor('The limit per action, in minor units.', 1),
          per_day_minor: Nullable(
            Minor('The limit per calendar day, in minor units.', 1),
            'The limit per calendar day, in minor units; null if there is no limit.',
          ),
          per_month_minor: Nullable(
            Minor('The limit per calendar month, in minor units.', 1),
            'The limit per calendar month, in minor units; null if there is no limit.',
          ),
        },
        { title: 'AuthorityLimit', description: 'The limits in one currency.' },
      ),
      { description: 'The limits, one per currency. The authority does not cover other currencies.' },
    ),
    valid_from: Instant,
    valid_until: Instant,
    status: Type.Enum([...authorityStatuses], {
      description: 'The status. Only an `active` authority is valid.',
    }),
    supports_delegations: Type.Integer({
      minimum: 0,
      description:
        'The number of active delegations that were approved under the authority. These delegations are suspended when the authority ends.',
    }),
    granted_under: Nullable(
      key("The key of the grantor's own authority.", 'treasury-head'),
      "The key of the grantor's own authority; null if it was granted from the ceiling of the workspace.",
    ),
    granted_by: Nullable(
      Uid(prefixes.person, 'The person who granted the authority.'),
      'The person who granted the authority; null if there is none.',
    ),
    approved_by: Nullable(
      Uid(prefixes.person, 'The person who approved the grant.'),
      'The person who approved the grant; null if there is none.',
    ),
    created_at: Instant,
    ended_at: Nullable(Instant, 'The time at which the authority ended; null if it has not ended.'),
    end_reason: Nullable(
      Type.String({ examples: ['superseded'] }),
      'The reason for the end; null if the authority has not ended.',
    ),
    authority_hash: Sha256Of('SHA-256 of the authority.'),
  },
  { title: 'Authority', description: 'The decisions that a person or a role may make, with limits.' },
);

export const listAuthorities = defineOperation({
  key: 'actions.authorities.list',
  product: 'Financial Actions',
  method: 'GET',
  path: PATH,
  scope: 'actions:read',
  summary: 'Lists the current and past authorities of persons and roles.',
  description:
    'Two persons activate an authority with the operator CLI, and neither can be the grantee. The terms of a version never change: each change is a new version.',
  query: Closed({
    ...pageQuery,
    status: Type.Optional(
      Type.Enum([...authorityStatuses, 'all'], {
        description: 'Returns only authorities with this status. Default: `all`.',
      }),
    ),
    grantee: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'Returns only authorities of this grantee: the uid of a person, or the key of a role.',
      }),
    ),
    action: Type.Optional(key('Returns only authorities for this action.', 'obligation.pay')),
    currency: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{3}$',
        description: 'Returns only authorities with a limit in this currency.',
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
