import Type, { type Static } from 'typebox';
import { Closed, InstantOf, Nullable } from '#lib/core/schema.ts';
import type { Governed } from '#lib/governance/governed/governed-record.write.ts';
import { Limits } from './limits.ts';
import { KeyWord } from './role.ts';

export const capabilities = ['initiate', 'approve', 'approve_delegation', 'release'] as const;
export const authorityTiers = ['T1', 'T2', 'T3'] as const;

const Any = Type.Literal('any_registered', { description: 'Every registered connector or counterparty.' });

export const AuthorityBody = Closed({
  grantee: Type.Union([
    Closed({ kind: Type.Literal('user'), person_uid: Type.String({ maxLength: 40 }) }),
    Closed({ kind: Type.Literal('role'), role: KeyWord }),
  ]),
  actions: Type.Array(KeyWord, { minItems: 1, maxItems: 100, uniqueItems: true }),
  capabilities: Type.Array(Type.Enum([...capabilities]), { minItems: 1, uniqueItems: true }),
  connectors: Type.Union([Type.Array(KeyWord, { maxItems: 100, uniqueItems: true }), Any]),
  counterparties: Type.Union([
    Type.Array(Type.Integer({ minimum: 1 }), { maxItems: 1_000, uniqueItems: true }),
    Any,
  ]),
  max_risk_tier: Type.Enum([...authorityTiers]),
  limits: Limits,
  valid_from: InstantOf('The start of validity.'),
  valid_until: InstantOf('The end of validity.'),
  /**
   * The key of the grantor's own authority. Null if an owner grants the authority directly, limited only by
   * the ceiling of the workspace.
   */
  granted_under: Nullable(KeyWord),
});
export type AuthorityBody = Static<typeof AuthorityBody>;

export type Authority = Governed<typeof AuthorityBody>;
