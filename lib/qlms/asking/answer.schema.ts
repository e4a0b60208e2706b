import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Day, InstantOf, Nullable, Sha256, Sha256Of, Uid } from '#lib/core/schema.ts';
import { clarificationCodes, refusalCodes } from '../language/codes.ts';
import { mentioned } from '../wording/mentions.ts';
import { SemanticQuerySchema } from '../language/query.schema.ts';
import { BoundLqm } from '../registry/profile.schema.ts';

/** The kind of a sealed answer. */
export const ANSWERS = 'modeling.qlm-answers';

const Text = (maxLength: number, description: string) => Type.String({ maxLength, description });
const Code = (description: string, example: string) =>
  Type.String({ pattern: '^[a-z0-9_]{1,80}$', description, examples: [example] });
const Position = (description: string) => Type.Integer({ minimum: 0, maximum: 100_000, description });

export const QlmSource = Closed(
  {
    kind: Type.Enum(['observation', 'record', 'run', 'model', 'computed'], {
      description: 'The kind of the source.',
    }),
    name: Text(200, 'The name of the source: a series, a record, a run or a method.'),
    dataset_uid: Nullable(Uid(prefixes.dataset, 'The dataset.'), 'The dataset of an observation.'),
    revision: Nullable(
      Type.Integer({ minimum: 0, description: 'The revision of the dataset that was read.' }),
      'The revision of the dataset that was read.',
    ),
    record_uid: Nullable(Text(80, 'The record.'), 'The uid of a record.'),
    run_uid: Nullable(Text(80, 'The run.'), 'The uid of a sealed run.'),
    pointer: Nullable(Text(300, 'A pointer.'), 'The place of the value in the source.'),
    seal_hash: Nullable(Sha256, 'The hash of the seal of the run.'),
  },
  { title: 'QlmSource', description: 'The place in which the value of a fact is stored.' },
);

export const QlmFact = Closed(
  {
    id: Type.String({ pattern: '^f[1-9][0-9]{0,3}$', description: 'Id of the fact.', examples: ['f1'] }),
    role: Type.Enum(['input', 'result', 'first', 'last'], { description: 'The role of the fact.' }),
    measure: Text(120, 'The key of the measure.'),
    of: Type.Array(Text(300, 'A subject.'), { maxItems: 1, description: 'The subject of the fact.' }),
    period: Nullable(Text(20, 'The period.'), 'The period of the value.'),
    value: Nullable(Text(400, 'The value.'), 'The value as decimal text; null for a fact that is a text.'),
    text: Nullable(Text(2_000, 'The text.'), 'The text of a fact that is not a number.'),
    unit: Text(120, 'The unit of the value.'),
    currency: Nullable(
      Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.', examples: ['EUR'] }),
      'The currency of an amount.',
    ),
    display: Text(2_000, 'The formatted value. The text of the answer shows the fact only in this form.'),
    rounding: Nullable(
      Closed({
        mode: Type.Literal('half_even', { description: 'The rounding mode.' }),
        digits: Type.Integer({ minimum: 0, maximum: 20, description: 'Digits after the point.' }),
      }),
      'The rounding of the displayed value; null if it is exact.',
    ),
    formula: Nullable(Text(200, 'The formula.'), 'The formula of a computed value.'),
    inputs: Type.Array(Text(8, 'The id of a fact.'), { maxItems: 200, description: 'The inputs.' }),
    source: QlmSource,
    as_of: Day('Only data known by the end of this day (UTC) is used.'),
    known_at: Nullable(Text(40, 'An instant.'), 'When the value became known.'),
    known_at_basis: Type.Enum(['observed', 'assumed', 'record'], {
      description: 'How `known_at` was determined.',
    }),
    stale: Type.Boolean({ description: 'Whether the newest stored value is stale.' }),
    periods: Type.Optional(Type.Integer({ minimum: 0, description: 'The number of periods used.' })),
    entities: Type.Optional(Type.Integer({ minimum: 0, description: 'The number of entities used.' })),
    rises: Type.Optional(Type.Integer({ minimum: 0, description: 'The number of rises.' })),
    falls: Type.Optional(Type.Integer({ minimum: 0, description: 'The number of falls.' })),
    direction: Type.Optional(
      Type.Enum(['rose', 'fell', 'unchanged'], { description: 'The direction of the difference.' }),
    ),
  },
  { title: 'QlmFact', description: 'A figure or text of an answer, with its source.' },
);
export type QlmFact = Static<typeof QlmFact>;

const MaybeQuery = Nullable(SemanticQuerySchema, 'The query; null if there is none.');

const Clarification = Closed(
  {
    code: Type.Enum([...clarificationCodes], { description: 'The open point.' }),
    prompt: Text(300, 'The question to the caller.'),
    options: Type.Array(
      Closed({
        n: Type.Integer({ minimum: 1, maximum: 400, description: 'The number of the option.' }),
        label: Text(300, 'The option in words.'),
        query: MaybeQuery,
      }),
      { maxItems: 400, description: 'The options. The first eight can be chosen by their number.' },
    ),
  },
  { title: 'QlmClarification', description: 'A question to the caller.' },
);

const Refusal = Closed(
  {
    code: Type.Enum([...refusalCodes], { description: 'The reason for the refusal.' }),
    detail: Text(300, 'The reason in words.'),
    spans: Type.Array(
      Closed({ from: Position('First position.'), to: Position('Position after the last character.') }),
      {
        maxItems: 200,
        description: 'The parts of the question that the refusal is about, in UTF-16 units.',
      },
    ),
    nearest: Type.Array(Closed({ label: Text(300, 'A name.'), query: MaybeQuery }), {
      maxItems: 400,
      description: 'Similar names and values that the caller may see.',
    }),
  },
  { title: 'QlmRefusal', description: 'A refusal, with its reason.' },
);

export const QlmAnswerInput = Closed(
  {
    question_hash: Nullable(Sha256, 'SHA-256 of the question; null if a query or an option was sent.'),
    query: MaybeQuery,
    answer_to: Nullable(Text(40, 'An answer.'), 'The clarification that is answered.'),
    option: Nullable(Type.Integer({ minimum: 1, maximum: 8 }), 'The chosen option.'),
    after: Nullable(Text(40, 'An answer.'), 'The earlier answer that the question follows up.'),
    as_of: Nullable(
      Day('A day.'),
      'Only facts known by the end of this day are used; null means all facts known now.',
    ),
    asked_at: InstantOf('Time of the question.'),
    scopes_hash: Sha256Of('SHA-256 of the sorted scopes of the caller.'),
  },
  { title: 'QlmAnswerInput', description: 'The sealed input of an answer.' },
);

/** The members of an answer that the seal covers. */
export const SealedAnswer = Closed({
  kind: Type.Literal(ANSWERS, { description: 'The kind of the answer.' }),
  qlm: Closed(
    {
      uid: Uid(prefixes.qlmModel, 'The question model.'),
      key: Text(64, 'The key of the question model.'),
      version: Type.Integer({ minimum: 1, description: 'The version that answered.' }),
      content_hash: Sha256Of('SHA-256 of the profile of the version.'),
    },
    { title: 'QlmOfAnswer', description: 'The question model and the version that answered.' },
  ),
  input: QlmAnswerInput,
  input_data: Closed(
    {
      dataset_revisions: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
        description: 'The revisions of the datasets, by dataset id.',
      }),
      record_state: Type.Record(Type.String(), Sha256, {
        description: 'A hash of the live records that were read, for each kind of record.',
      }),
      record_state_hash: Sha256Of('SHA-256 of `record_state`.'),
    },
    { title: 'QlmInputData', description: 'The data that was read.' },
  ),
  outcome: Type.Enum(['answered', 'clarification', 'refused'], { description: 'The outcome.' }),
  text: Nullable(Text(200_000, 'The text.'), 'The answer in words; null if there is no answer.'),
  slots: Type.Array(
    Closed({
      from: Position('First position.'),
      to: Position('Position after the last character.'),
      fact: Text(8, 'The id of the fact.'),
    }),
    { maxItems: 400, description: 'The positions of the facts in the text, in UTF-16 units.' },
  ),
  mentions: Type.Optional(
    Type.Array(
      Closed({
        from: Position('First position.'),
        to: Position('Position after the last character.'),
        what: Type.Enum([...mentioned], { description: 'The kind of the name or period at this position.' }),
        fact: Nullable(Text(8, 'The id of the fact.'), 'The fact; null for a part of the query.'),
      }),
      {
        maxItems: 2_000,
        description:
          'The positions of names and periods in the text. Together with `slots`, they contain each number of the text.',
      },
    ),
  ),
  names: Type.Optional(
    Closed(
      {
        measures: Type.Record(Type.String(), Text(120, 'A name.'), {
          description: 'By the key of the measure.',
        }),
        subjects: Type.Record(Type.String(), Text(120, 'A name.'), {
          description: 'By the key of the subject.',
        }),
      },
      {
        description:
          'The names of measures and subjects in the text, as they were at the time of the answer.',
      },
    ),
  ),
  query: MaybeQuery,
  facts: Type.Array(QlmFact, { maxItems: 200, description: 'The facts.' }),
  assumptions: Type.Array(
    Closed({ code: Code('A code.', 'spelling'), detail: Text(300, 'The interpretation, in words.') }),
    {
      maxItems: 20,
      description: 'The ambiguous points of the question, and how they were interpreted.',
    },
  ),
  flags: Type.Array(Code('A flag.', 'stale'), { maxItems: 20, description: 'Warnings about the answer.' }),
  clarification: Nullable(Clarification, 'The question to the caller.'),
  refusal: Nullable(Refusal, 'The refusal.'),
  planner: Closed(
    {
      kind: Type.Enum(['embedded', 'provider'], { description: 'The planner that made the query.' }),
      fallback_code: Nullable(
        Code('A code.', 'timed_out'),
        'The reason why the proposal of the provider was not used, such as `timed_out`; null otherwise.',
      ),
    },
    { description: 'How the question was turned into a query.' },
  ),
  wording: Closed(
    {
      kind: Type.Enum(['template', 'provider'], {
        description: 'Whether a template or an AI provider worded the text.',
      }),
      fallback_code: Nullable(
        Code('A code.', 'timed_out'),
        'The reason why the wording of the provider was not used, such as `timed_out`; null otherwise.',
      ),
      template: Type.Optional(
        Type.Literal(2, { description: 'The templates of the text. Absent: the first templates.' }),
      ),
    },
    { description: 'How the facts were put into words.' },
  ),
  bound_lqm: Nullable(BoundLqm, 'The bound checkpoint; null if there is none.'),
  engine_hash: Type.Optional(
    Sha256Of('SHA-256 of the code that answers the questions. Absent: an earlier release sealed the answer.'),
  ),
});
export type SealedAnswer = Static<typeof SealedAnswer>;
