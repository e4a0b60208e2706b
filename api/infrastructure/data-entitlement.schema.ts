import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Instant, InstantOf, Line, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { ConstraintsSchema, DutySchema, RuleSchema } from '#lib/data/rights/terms.schema.ts';

export { ConstraintsSchema };

export const DataEntitlementResource = Closed(
  {
    uid: Uid(prefixes.dataEntitlement, 'The entitlement.'),
    basis: Type.Enum(['owner', 'recorded', 'access'], {
      description:
        'Why the workspace may use the dataset: it owns the dataset, an entitlement is recorded, or it was given access ' +
        'before terms were recorded.',
    }),
    dataset_uid: Uid(prefixes.dataset, 'The dataset.'),
    dataset_key: Type.String({
      description: 'The kind and the name of the dataset.',
      examples: ['prices/prices'],
    }),
    provider: Nullable(
      Line(200, 'Provider.', 'Example Data Ltd'),
      'The provider of the data; null if no terms are recorded.',
    ),
    assignee: Uid(prefixes.workspace, 'The workspace that may use the data.'),
    permissions: Type.Array(RuleSchema, {
      description: 'The permitted actions. Every other action is denied.',
    }),
    prohibitions: Type.Array(RuleSchema, {
      description:
        'The prohibited actions. A prohibition outweighs every permission, even while the entitlement is suspended.',
    }),
    duties: Type.Array(DutySchema, { description: 'The duties of the workspace.' }),
    valid_from: Nullable(
      Instant,
      'The first instant at which the entitlement applies; null if the entitlement has no start.',
    ),
    valid_until: Nullable(
      Instant,
      'The first instant at which the entitlement no longer applies; null if the entitlement has no end.',
    ),
    conflict: Type.Literal('prohibit', {
      description: 'The rule for conflicts: a prohibition outweighs a permission.',
    }),
    default: Type.Literal('prohibit', {
      description: 'The default: an action without a permission is denied.',
    }),
    status: Type.Enum(['active', 'scheduled', 'expired', 'suspended'], {
      description: 'The state now. A suspended entitlement permits nothing.',
    }),
    licence: Closed(
      {
        source_reference: Nullable(
          Line(200, 'Reference.', 'Contract 2026-17'),
          'Where the licence is filed; null if no place is recorded.',
        ),
        source_hash: Nullable(
          Sha256Of('SHA-256 of the licence document.'),
          'SHA-256 of the licence document; null if no terms are recorded.',
        ),
      },
      { title: 'DataLicence', description: 'The licence behind the entitlement.' },
    ),
    entitlement_hash: Sha256Of('SHA-256 of the RFC 8785 form of the terms.'),
    granted_at: Nullable(
      InstantOf('Instant.'),
      'When the entitlement came into force; null if it is implicit.',
    ),
  },
  { title: 'DataEntitlement', description: 'The terms on which the workspace may use a dataset.' },
);

export type DataEntitlementResource = Static<typeof DataEntitlementResource>;
