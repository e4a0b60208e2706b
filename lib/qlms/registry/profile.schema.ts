import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Line, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { domains } from '../language/catalogue.ts';

const Share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description, examples: [0.01] });
const Days = (description: string, example: number) =>
  Type.Integer({ minimum: 1, maximum: 3_660, description, examples: [example] });

/** The binding of a version to one checkpoint of a numeric model. */
export const BoundLqm = Closed(
  {
    model_uid: Uid(prefixes.lqmModel, 'The numeric model.'),
    version: Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'Version of the numeric model.',
      examples: [1],
    }),
    checkpoint_hash: Sha256Of('SHA-256 of the checkpoint.'),
  },
  {
    title: 'QlmBoundModel',
    description: 'A numeric model in a fixed version with its checkpoint. Questions may be about this model.',
  },
);
export type BoundLqm = Static<typeof BoundLqm>;

export const QlmGate = Closed(
  {
    suite_uid: Nullable(
      Uid(prefixes.qlmSuite, 'The suite of the gate.'),
      'The suite of the gate evaluation; null if the version has no suite and so cannot be approved.',
    ),
    false_answers_max: Share('The largest rate of false answers.'),
    false_answers_upper_max: Share('The largest upper bound of the rate of false answers, at 95 %.'),
    false_refusals_max: Share('The largest rate of false refusals.'),
  },
  { title: 'QlmGate', description: 'The limits that an evaluation must meet.' },
);

const Domain = Type.Enum([...domains], { description: 'A domain of measures.', examples: ['economics'] });

/** The profile of a version, complete. */
export const QlmProfile = Closed(
  {
    purpose: Line(500, 'The purpose of the model.', 'Answers questions of the treasury desk.'),
    intended_use: Nullable(Line(500, 'The intended use.', 'Daily questions about cash and revenue.')),
    not_for: Type.Array(Line(200, 'A use that the model is not for.', 'Investment advice.'), {
      maxItems: 20,
    }),
    domains: Type.Array(Domain, {
      minItems: 1,
      maxItems: domains.length,
      uniqueItems: true,
      description: 'The domains that questions may be about.',
    }),
    vocabulary: Type.Record(
      Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_. &-]{0,119}$' }),
      Type.Array(Type.String({ minLength: 2, maxLength: 60 }), { minItems: 1, maxItems: 200 }),
      {
        description:
          'Further names of measures, by the key of the measure, and of sectors, by `sector.NAME`.',
      },
    ),
    bound_lqm: Nullable(BoundLqm, 'The bound checkpoint; null if questions about a model are not answered.'),
    planner: Closed(
      {
        kind: Type.Enum(['embedded', 'provider'], {
          description:
            'The embedded engine reads all questions. With `provider`, a language model may propose a query for a question that the engine does not understand.',
        }),
        connection_uid: Type.Optional(
          Uid(prefixes.aiConnection, 'The AI connection. Required if a provider plans or words.'),
        ),
        model: Type.Optional(Line(200, 'The model of the connection.', 'small')),
      },
      { description: 'The component that turns a question into a query.' },
    ),
    wording: Type.Enum(['template', 'provider'], {
      description: 'Templates word the answers, or a language model places the figures in a text.',
    }),
    fallback: Type.Enum(['embedded', 'refuse'], {
      description:
        'The behaviour if the provider that plans fails: the outcome of the embedded engine, or the refusal `provider_unavailable`.',
    }),
    stale_after_days: Closed(
      {
        daily: Days('Days after which a daily series counts as stale.', 10),
        weekly: Days('Days after which a weekly series counts as stale.', 21),
        monthly: Days('Days after which a monthly series counts as stale.', 75),
        quarterly: Days('Days after which a quarterly series counts as stale.', 200),
        yearly: Days('Days after which a yearly series counts as stale.', 550),
      },
      { description: 'The age in days from which the newest value no longer counts as current.' },
    ),
    drift_policy: Type.Enum(['refuse_model_tools', 'refuse_all'], {
      description:
        'The effect of material drift of the bound model: questions about the model are refused, or all questions.',
    }),
    max_facts: Type.Integer({
      minimum: 1,
      maximum: 200,
      description: 'The largest number of facts of an answer.',
      examples: [50],
    }),
    keep_question_days: Type.Integer({
      minimum: 0,
      maximum: 400,
      description: 'Days for which the text of a question is stored. Its hash is stored permanently.',
      examples: [90],
    }),
    gate: QlmGate,
    grammar: Type.Literal('svc.qlm.grammar/1', { description: 'The grammar of the questions.' }),
  },
  { title: 'QlmProfile', description: 'The profile of a version of a question model.' },
);
export type QlmProfile = Static<typeof QlmProfile>;

const { bound_lqm: _bound, gate: _gate, ...rest } = QlmProfile.properties;

/** A profile as a person writes it. Omitted members get their defaults, and the binding is given separately. */
export const WrittenProfile = Type.Object(
  {
    ...(Object.fromEntries(
      Object.entries(rest).map(([name, schema]) => [
        name,
        name === 'purpose' || name === 'domains' ? schema : Type.Optional(schema as never),
      ]),
    ) as Record<string, never>),
    gate: Type.Optional(
      Type.Object(
        {
          ...Object.fromEntries(
            Object.entries(QlmGate.properties).map(([name, schema]) => [
              name,
              Type.Optional(schema as never),
            ]),
          ),
          suite: Type.Optional(Type.String({ maxLength: 64, description: 'The key of an imported suite.' })),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false, title: 'QlmWrittenProfile' },
);
export type WrittenProfile = Partial<Omit<QlmProfile, 'bound_lqm' | 'gate'>> &
  Pick<QlmProfile, 'purpose' | 'domains'> & {
    gate?: Partial<QlmProfile['gate']> & { suite?: string };
  };
