import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Day, InstantOf, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { SealSchema } from '#lib/core/seal.ts';
import { SealedAnswer } from '#lib/qlms/asking/answer.schema.ts';

export const Question = Type.String({
  minLength: 1,
  maxLength: 1_000,
  description: 'The question, in English.',
  examples: ['What was real GDP in Q4 2024?'],
});

const Tokens = (description: string) =>
  Nullable(Type.Integer({ minimum: 0, description }), `${description} Null if no provider was used.`);

export const QlmAnswerResource = Closed(
  {
    uid: Uid(prefixes.qlmAnswer, 'The answer.'),
    ...SealedAnswer.properties,
    question: Nullable(
      Question,
      'The text of the question. Only the application that asked sees the text, and only until the text is deleted; otherwise null.',
    ),
    asked_at: InstantOf('Time of the question.'),
    as_of: Nullable(
      Day('The last day of knowledge.'),
      'Only facts known by the end of this day are used; null means all facts known now.',
    ),
    usage: Closed(
      {
        calls: Type.Integer({ minimum: 0, description: 'The number of calls to a provider.' }),
        input_tokens: Tokens('The tokens sent.'),
        output_tokens: Tokens('The tokens received.'),
        cost: Nullable(Type.String({ maxLength: 40 }), 'The cost; null if no provider was used.'),
      },
      { title: 'QlmUsage', description: 'The use of a provider of language models.' },
    ),
    input_hash: Sha256Of('SHA-256 of `input`.'),
    result_hash: Sha256Of('SHA-256 of the outcome, the text, the query and the facts.'),
    seal: SealSchema,
  },
  {
    title: 'QlmAnswer',
    description: 'A sealed answer: figures with their sources, a clarification, or a refusal.',
  },
);

export const QlmAnswerSummary = Closed(
  {
    uid: Uid(prefixes.qlmAnswer, 'The answer.'),
    kind: SealedAnswer.properties.kind,
    version: SealedAnswer.properties.qlm.properties.version,
    outcome: SealedAnswer.properties.outcome,
    code: Nullable(
      Type.String({ maxLength: 80, description: 'A code.' }),
      'The code of the refusal or clarification; null for an answered question.',
    ),
    facts: Type.Integer({ minimum: 0, description: 'The number of facts.', examples: [1] }),
    asked_at: InstantOf('Time of the question.'),
    as_of: Nullable(
      Day('The last day of knowledge.'),
      'Only facts known by the end of this day are used; null means all facts known now.',
    ),
    result_hash: Sha256Of('SHA-256 of the outcome, the text, the query and the facts.'),
  },
  { title: 'QlmAnswerSummary', description: 'A sealed answer in a list.' },
);
