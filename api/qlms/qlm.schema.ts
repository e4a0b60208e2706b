import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, Line, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { scopes } from '#lib/core/scope.ts';
import { domains } from '#lib/qlms/language/catalogue.ts';
import { BoundLqm, QlmGate } from '#lib/qlms/registry/profile.schema.ts';
import { modelStatuses } from '#lib/qlms/registry/states.ts';

export const Status = Type.Enum([...modelStatuses], {
  description: 'The status of the question model. Only a model with the status `serving` answers questions.',
  examples: ['serving'],
});
export const QlmKey = Type.String({
  pattern: '^[a-z][a-z0-9_]{0,63}$',
  description: 'The key of the question model.',
  examples: ['desk'],
});
export const QlmVersionNumber = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'The number of the version.',
  examples: [1],
});

const Count = (description: string) => Type.Integer({ minimum: 0, description, examples: [289] });

const Drift = Closed(
  {
    severity: Type.Enum(['none', 'watch', 'material', 'not_assessed'], {
      description: 'The severity of the latest assessment of the bound checkpoint.',
    }),
    assessed_at: Nullable(
      InstantOf('When it was assessed.'),
      'When the drift was assessed; null if it was not assessed.',
    ),
  },
  { title: 'QlmDrift', description: 'The drift of the bound model.' },
);

const Bound = Closed(
  {
    ...BoundLqm.properties,
    key: Type.String({
      maxLength: 64,
      description: 'The key of the numeric model.',
      examples: ['sample_regimes'],
    }),
    serves: Type.Boolean({
      description: 'Whether the bound checkpoint is that of the serving version of the numeric model.',
    }),
    drift: Drift,
  },
  { title: 'QlmBoundModelState', description: 'The bound checkpoint, with its state.' },
);

const Evaluation = Closed(
  {
    uid: Uid(prefixes.qlmEvaluation, 'The sealed evaluation.'),
    at: InstantOf('When the evaluation was sealed.'),
    passed: Type.Boolean({ description: 'Whether the version met all limits of the gate.' }),
    false_answers: Closed(
      {
        n: Count('The number of cases.'),
        k: Count('The number of false answers.'),
        upper: Type.Number({ minimum: 0, maximum: 1, description: 'Upper bound of the rate, at 95 %.' }),
      },
      { description: 'The false answers.' },
    ),
  },
  { title: 'QlmEvaluationFigures', description: 'The latest evaluation of the version, in figures.' },
);

export const QlmSummary = Closed(
  {
    uid: Uid(prefixes.qlmModel, 'The question model.'),
    key: QlmKey,
    name: Line(200, 'The name of the question model.', 'Treasury desk'),
    purpose: Line(500, 'The purpose of the version.', 'Answers questions of the treasury desk.'),
    status: Status,
    serving_version: Nullable(QlmVersionNumber, 'The serving or suspended version; null if there is none.'),
    bound_lqm: Nullable(Bound, 'The bound numeric model; null if there is none.'),
    planner: Type.Enum(['embedded', 'provider'], { description: 'The planner of the questions.' }),
    evaluation: Nullable(Evaluation, 'The latest evaluation of the version; null if there is none.'),
    created_at: InstantOf('When the question model was created.'),
  },
  {
    title: 'Qlm',
    description: 'A question model. It is described by its serving version, or else by its newest version.',
  },
);
export type QlmSummary = Static<typeof QlmSummary>;

export const QlmDetail = Closed(
  {
    ...QlmSummary.properties,
    domains: Type.Array(
      Closed({
        key: Type.Enum([...domains], { description: 'The domain.' }),
        scope: Type.Enum([...scopes], { description: 'The scope that the domain requires.' }),
        entitled: Type.Boolean({ description: 'Whether the caller has the scope.' }),
        measures: Count('The number of measures that the caller may ask for.'),
      }),
      { maxItems: domains.length, description: 'The domains of the profile.' },
    ),
    limits: Closed(
      {
        question_characters: Count('The maximum number of characters in a question.'),
        max_facts: Count('The maximum number of facts in an answer.'),
        keep_question_days: Count('The number of days for which the texts of questions are stored.'),
        follow_up_hours: Count('The number of hours within which a question can follow up an answer.'),
      },
      { description: 'The limits of questions.' },
    ),
    intended_use: Nullable(
      Line(500, 'The intended use.', 'Daily questions about cash.'),
      'The intended use.',
    ),
    not_for: Type.Array(Line(200, 'A use.', 'Investment advice.'), {
      maxItems: 20,
      description: 'Uses for which the model is not intended.',
    }),
    gate: QlmGate,
    vocabulary_hash: Sha256Of('SHA-256 of the vocabulary.'),
    content_hash: Sha256Of('SHA-256 of the profile.'),
  },
  { title: 'QlmDetail', description: 'A question model with its domains, limits and gate.' },
);
