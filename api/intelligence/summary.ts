import Type from 'typebox';
import { readSummary } from '#lib/intelligence/read-summary.query.ts';
import { sectionKeys, severities, units } from '#lib/intelligence/section.ts';
import { headlineCodes, sectionStatuses } from '#lib/intelligence/summary.ts';
import { WORDING_CHARACTERS_MAX } from '#lib/intelligence/wording.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { defineOperation } from '../services.ts';

const Code = (description: string, example: string) =>
  Type.String({ pattern: '^[a-z0-9_]{1,64}$', description, examples: [example] });
const Integer = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description, examples: [2] });
const asOf = InstantOf('Of the newest record that it rests on.');

const Metric = Closed(
  {
    key: Code('What it is.', 'order_batches_open'),
    value: Nullable(Type.Number({ description: 'The figure.', examples: [3] }), 'Null: not known.'),
    unit: Type.Enum([...units], { description: '`minor`: minor units of the currency.' }),
    currency: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{3}$',
        description: 'Of an amount. Never summed across.',
        examples: ['EUR'],
      }),
    ),
    as_of: Nullable(asOf, 'Of the newest record that it rests on; null where there is none.'),
  },
  { title: 'SummaryMetric', description: 'A figure from what is stored.' },
);

const Attention = Closed(
  {
    code: Code('What it is.', 'execution_exceptions_to_resolve'),
    severity: Type.Enum([...severities], { description: 'How much it matters.' }),
    count: { ...Integer('How many there are.'), minimum: 1 },
    link: Type.String({
      maxLength: 200,
      pattern: '^/',
      description: 'The path below `/api/v2` that lists them.',
      examples: ['/actions/execution-exceptions?state=open'],
    }),
  },
  { title: 'SummaryAttention', description: 'What somebody should look at.' },
);

const Section = Closed(
  {
    key: Type.Enum([...sectionKeys], { description: 'The domain.' }),
    status: Type.Enum([...sectionStatuses], {
      description:
        '`stale`: its newest record is older than it should be. `unavailable`: it could not be read this time. ' +
        '`not_entitled`: the scopes of the credential do not cover it, and it has no figures.',
    }),
    as_of: Nullable(asOf, 'The newest of its figures; null without any.'),
    headline: Closed(
      {
        code: Type.Enum([...headlineCodes], { description: 'The section in a word.' }),
        params: Type.Record(Type.String(), Type.Number(), { description: 'The figures of the headline.' }),
      },
      { description: 'For a person who reads one line.' },
    ),
    text: Type.String({
      maxLength: 4_000,
      description: 'The same facts as sentences, by a template. Empty without facts.',
      examples: ['Order batches open: 3.'],
    }),
    wording: Nullable(
      Closed({
        text: Type.String({
          minLength: 1,
          maxLength: WORDING_CHARACTERS_MAX,
          description: 'What the model wrote. Each number in it is one of the section.',
          examples: ['There are 3 open order batches.'],
        }),
        model: Type.String({ maxLength: 200, description: 'Which one.', examples: ['gpt-5-mini'] }),
        connection_uid: Uid(prefixes.aiConnection, 'Where it was asked.'),
        written_at: InstantOf('When.'),
      }),
      'The same facts as an AI provider of the workspace puts them; null where the workspace wants none, or there is none of these facts.',
    ),
    metrics: Type.Array(Metric, { maxItems: 200, description: 'The figures.' }),
    attention: Type.Array(Attention, { maxItems: 20, description: 'What somebody should look at.' }),
  },
  { title: 'SummarySection', description: 'One domain.' },
);

const IntelligenceSummary = Closed(
  {
    workspace_uid: Uid(prefixes.workspace, 'The workspace.'),
    environment: Type.Enum(['sandbox', 'production'], { description: 'The one that the credential is of.' }),
    generated_at: InstantOf('When it was read.'),
    sections: Type.Array(Section, { maxItems: 20, description: 'One for each domain, in a fixed order.' }),
    summary_hash: Sha256Of('Of the RFC 8785 form of the sections: it changes when a fact does.'),
  },
  { title: 'IntelligenceSummary', description: 'What the workspace knows about itself.' },
);

export const getIntelligenceSummary = defineOperation({
  key: 'intelligence.summary.get',
  product: 'Intelligence',
  method: 'GET',
  path: '/intelligence/summary',
  scope: 'intelligence:read',
  summary: 'Tells how each domain of the workspace stands, from what is stored.',
  description:
    'Each section takes the scope of its domain beside that of this operation: `actions:read`, `investment:read`, ' +
    '`quant:research:read`, `planning:read`, `ml:read`, `financial:read`, `data:reference:read`, `ai:connections:read`, ' +
    '`trust:write`, `workflow:read`.',
  success: { status: 200, description: 'The summary.', schema: IntelligenceSummary },
  problems: [],
  async handle({ services, caller }) {
    const now = services.clock.now();
    const summary = await services.query(readSummary, { scopes: caller.scopes, now });
    return {
      status: 200,
      body: {
        workspace_uid: caller.workspace,
        environment: caller.environment,
        generated_at: now.toISOString(),
        ...summary,
      },
    };
  },
});
