import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { scopes } from '#lib/core/scope.ts';
import { SentCase } from './case.schema.ts';

const Scopes = Type.Array(Type.Enum([...scopes], { description: 'A scope.' }), {
  maxItems: scopes.length,
  uniqueItems: true,
  description:
    'The scopes with which the questions are answered. They can only narrow the scopes of the caller.',
});
const Version = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'The number of the version.',
  examples: [1],
});

export const EvaluationBody = Closed(
  {
    suite: Type.Optional(
      Uid(prefixes.qlmSuite, 'The suite. Default: the suite of the gate. Not together with `cases`.'),
    ),
    cases: Type.Optional(
      Type.Array(SentCase, {
        minItems: 1,
        maxItems: 500,
        description: 'Cases to use in this evaluation only.',
      }),
    ),
    version: Type.Optional({ ...Version, description: 'The version. Default: the newest version.' }),
    credential: Type.Optional(
      Type.Union(
        [
          Type.Literal('own', { description: 'The scopes of the caller.' }),
          Closed({ scopes: Scopes }, { description: 'Some of the scopes of the caller.' }),
        ],
        { description: 'The scopes with which the questions are answered. Default: those of the caller.' },
      ),
    ),
  },
  { title: 'QlmEvaluationRequest', description: 'The cases and the version to evaluate.' },
);

export const EvaluationRequest = Closed({
  ...EvaluationBody.properties,
  model_uid: Uid(prefixes.qlmModel, 'The question model.'),
});

export const EvaluationInput = Closed(
  {
    model_uid: Uid(prefixes.qlmModel, 'The question model.'),
    version_uid: Uid(prefixes.qlmVersion, 'The version.'),
    version: Version,
    content_hash: Sha256Of('SHA-256 of the profile of the version.'),
    suite_uid: Nullable(
      Uid(prefixes.qlmSuite, 'The suite.'),
      'The suite; null if the request contained the cases.',
    ),
    suite_hash: Sha256Of('SHA-256 of the cases, one RFC 8785 line each.'),
    cases: Nullable(
      Type.Array(SentCase, { maxItems: 500, description: 'The cases that were sent.' }),
      'The cases in the request; null if a suite was used.',
    ),
    built_in: Nullable(
      Type.Literal('qlm-adversarial/1', { description: 'The built-in suite.' }),
      'The built-in suite, which is part of every evaluation for the gate; null otherwise.',
    ),
    counts_for_gate: Type.Boolean({
      description: 'Whether the version can pass its gate with this evaluation.',
    }),
    scopes: Scopes,
    engine_hash: Type.Optional(
      Sha256Of('SHA-256 of the code that answers and scores the questions. Absent: an earlier release.'),
    ),
    asked_at: InstantOf('The time of all questions.'),
  },
  { title: 'QlmEvaluationInput', description: 'The request with every default filled in.' },
);

const Count = (description: string) => Type.Integer({ minimum: 0, description, examples: [0] });
const Share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

export const RateResource = Closed(
  {
    k: Count('The number of cases in the numerator of the rate.'),
    n: Count('The number of cases in the denominator of the rate.'),
    rate: Nullable(Share('k / n.'), 'k / n; null if there are no cases.'),
    lower: Share('Lower bound, at 95 % (Clopper-Pearson).'),
    upper: Share('Upper bound, at 95 % (Clopper-Pearson).'),
  },
  { title: 'QlmRate', description: 'A rate with its exact interval.' },
);

const Outcome = Type.Enum(['answered', 'clarification', 'refused'], { description: 'An outcome.' });

export const EvaluationResult = Closed(
  {
    suite_hash: Sha256Of('SHA-256 of the cases.'),
    version: Version,
    cases: Count('The number of cases, those of the built-in suite included.'),
    outcome: Closed(
      {
        matrix: Type.Array(Type.Array(Count('Cases.'), { minItems: 3, maxItems: 3, description: 'A row.' }), {
          minItems: 3,
          maxItems: 3,
          description:
            'Counts by expected outcome (rows) and actual outcome (columns), in the order answered, clarification, refused.',
        }),
        accuracy: RateResource,
      },
      { description: 'The outcomes.' },
    ),
    query_accuracy: RateResource,
    fact_accuracy: RateResource,
    code_accuracy: RateResource,
    false_answers: RateResource,
    false_refusals: RateResource,
    ungrounded: Count('Number of figures in texts that belong to no fact.'),
    uncited: Count('Number of facts without a source or an as-of day.'),
    leaks: Count(
      'Number of answers with data that the scopes do not cover, or with data of another workspace.',
    ),
    by_tag: Type.Array(
      Closed({
        tag: Type.String({ maxLength: 80, description: 'The tag.' }),
        cases: Count('The number of cases with the tag.'),
        outcome_accuracy: RateResource,
        false_answers: RateResource,
      }),
      { maxItems: 200, description: 'The scores of each tag with at least five cases.' },
    ),
    failures: Type.Array(
      Closed({
        case_id: Type.String({ maxLength: 80, description: 'The case.' }),
        expected: Outcome,
        got: Outcome,
        code: Nullable(Type.String({ maxLength: 80 }), 'The code of the refusal or clarification.'),
      }),
      { maxItems: 200, description: 'The first cases that were not answered as expected.' },
    ),
    gate_faults: Type.Array(Type.String({ maxLength: 300 }), {
      maxItems: 300,
      description: 'The limits of the gate that were exceeded.',
    }),
    passed: Type.Boolean({ description: 'Whether all limits of the gate were met.' }),
    counts_for_gate: Type.Boolean({
      description: 'Whether the version can pass its gate with this evaluation.',
    }),
  },
  { title: 'QlmEvaluationResult', description: 'The scores of a version on a suite.' },
);
export type EvaluationResult = Static<typeof EvaluationResult>;
