import Type, { type Static } from 'typebox';
import { Closed, InstantOf, Line, Nullable } from '#lib/core/schema.ts';
import { dataActions } from './decide.ts';

export const dutyActions = ['attribute', 'delete_on_expiry', 'report_usage'] as const;

const Word = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$',
  description: 'A key of letters, digits and . _ -.',
  examples: ['research'],
});
const words = (description: string) =>
  Type.Optional(Type.Array(Word, { minItems: 1, maxItems: 50, uniqueItems: true, description }));

export const ConstraintsSchema = Closed(
  {
    purposes: words('The purposes of use that the rule covers.'),
    regions: words('The regions of the deployment that the rule covers.'),
    delay_minutes: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 5_256_000,
        description: 'The minimum age of the newest content of the dataset, in minutes.',
        examples: [15],
      }),
    ),
    max_rows_per_day: Type.Optional(
      Nullable(
        Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'Rows.', examples: [100_000] }),
        'The rows that may be requested on a day (UTC); null for no limit.',
      ),
    ),
    valid_from: Type.Optional(InstantOf('The first instant at which the rule applies.')),
    valid_until: Type.Optional(InstantOf('The first instant at which the rule no longer applies.')),
  },
  { title: 'DataUseConstraints', description: 'The limits of a rule. All stated limits must be met.' },
);

export const RuleSchema = Closed(
  {
    action: Type.Enum([...dataActions], { description: 'The only action that the rule covers.' }),
    constraints: ConstraintsSchema,
  },
  { title: 'DataUseRule', description: 'A permission or a prohibition of one action.' },
);

export const DutySchema = Closed(
  {
    action: Type.Enum([...dutyActions], {
      description: 'The action that the workspace must perform.',
    }),
    due: Type.Optional(
      Nullable(
        InstantOf('Instant.'),
        'The instant from which an open duty denies every use; null if there is none.',
      ),
    ),
    before_use: Type.Optional(
      Type.Boolean({ description: 'Whether the data may be used only after the duty is fulfilled.' }),
    ),
    fulfilled_at: Type.Optional(
      Nullable(InstantOf('Instant.'), 'When the duty was fulfilled; null if it is open.'),
    ),
  },
  { title: 'DataUseDuty', description: 'A duty of the workspace that uses the data.' },
);

const rules = (description: string) => Type.Array(RuleSchema, { maxItems: 50, description });

/** The terms of an entitlement, as an operator writes them in a file. */
export const EntitlementTerms = Closed(
  {
    provider: Line(200, 'The provider of the data.', 'Example Data Ltd'),
    permissions: rules('The permitted actions. Every other action is denied.'),
    prohibitions: Type.Optional(rules('The prohibited actions. A prohibition outweighs every permission.')),
    duties: Type.Optional(
      Type.Array(DutySchema, { maxItems: 20, description: 'The duties of the workspace.' }),
    ),
    valid_from: Type.Optional(InstantOf('The first instant at which the entitlement holds.')),
    valid_until: Type.Optional(InstantOf('The first instant at which the entitlement no longer holds.')),
  },
  { title: 'DataEntitlementTerms', description: 'The terms on which a workspace may use a dataset.' },
);

export type EntitlementTerms = Static<typeof EntitlementTerms>;
