import Type from 'typebox';
import { Closed } from '#lib/core/schema.ts';
import { clarificationCodes, refusalCodes } from '../language/codes.ts';

const Word = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description, examples: ['lookup'] });
const Codes = Type.Enum([...refusalCodes, ...clarificationCodes], {
  description: 'The expected code of a refusal or clarification.',
  examples: ['not_entitled'],
});
/** Expected facts and queries are only compared and never evaluated, so they may have any members. */
const Open = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

const expected = {
  outcome: Type.Enum(['answered', 'refused', 'clarification'], { description: 'The outcome.' }),
  query: Type.Optional(Open('The canonical query.')),
  facts: Type.Optional(
    Type.Array(Open('A fact.'), { maxItems: 200, description: 'The expected facts, in order.' }),
  ),
  facts_from: Type.Optional(
    Type.Array(Open('An origin.'), { maxItems: 200, description: 'The origins of the facts.' }),
  ),
  code: Type.Optional(Codes),
  options: Type.Optional(
    Type.Array(Word(300, 'An option.'), { maxItems: 100, description: 'Options that are offered.' }),
  ),
  assumptions: Type.Optional(
    Type.Array(Word(80, 'An assumption.'), {
      maxItems: 20,
      description: 'Assumptions that the answer states.',
    }),
  ),
  flags: Type.Optional(
    Type.Array(Word(80, 'A flag.'), { maxItems: 20, description: 'Flags that the answer states.' }),
  ),
};

const members = {
  id: Word(80, 'The id of the case, unique in its suite.'),
  tags: Type.Array(Word(80, 'A tag.'), { maxItems: 20, description: 'The tags of the case.' }),
  question: Type.String({
    minLength: 1,
    maxLength: 2_000,
    description: 'The question.',
    examples: ['What was real GDP in Q4 2024?'],
  }),
  context: Type.Optional(
    Type.Array(
      Closed(
        { question: Type.String({ minLength: 1, maxLength: 2_000, description: 'A question.' }) },
        { description: 'An earlier question.' },
      ),
      { maxItems: 8, description: 'The earlier questions in the same conversation, oldest first.' },
    ),
  ),
  credential: Type.Optional(Word(80, 'The scopes of the case: `full` or `narrow`.')),
  note: Type.Optional(Type.String({ maxLength: 2_000, description: 'A note.' })),
};

/** A case of a suite file `svc.qlm.suite/1`. Further members are ignored. */
export const SuiteCase = Type.Object(
  {
    ...members,
    expect: Type.Object(expected, { description: 'The expected answer. Other members are ignored.' }),
  },
  { title: 'QlmSuiteCase', description: 'A question with the expected answer.' },
);

/** A case that a request contains. */
export const SentCase = Closed(
  { ...members, expect: Closed(expected, { description: 'The expected answer.' }) },
  { title: 'QlmCase', description: 'A question with the expected answer.' },
);
