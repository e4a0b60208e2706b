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
const asOf = InstantOf('The time of the newest record behind the figure.');

const Metric = Closed(
  {
    key: Code('The key of the figure.', 'order_batches_open'),
    value: Nullable(
      Type.Number({ description: 'The figure.', examples: [3] }),
      'The value of the figure; null if unknown.',
    ),
    unit: Type.Enum([...units], {
      description: 'The unit of the figure. `minor`: minor units of the currency.',
    }),
    currency: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{3}$',
        description: 'The currency of an amount. Amounts of different currencies are never summed.',
        examples: ['EUR'],
      }),
    ),
    as_of: Nullable(asOf, 'The time of the newest record behind the figure; null if there is none.'),
  },
  { title: 'SummaryMetric', description: 'A figure from stored records.' },
);

const Attention = Closed(
  {
    code: Code('The kind of item.', 'execution_exceptions_to_resolve'),
    severity: Type.Enum([...severities], { description: 'The severity of the items.' }),
    count: { ...Integer('Number of items.'), minimum: 1 },
    link: Type.String({
      maxLength: 200,
      pattern: '^/',
      description: 'The path below `/api/v2` that lists the items.',
      examples: ['/actions/execution-exceptions?state=open'],
    }),
  },
  {
    title: 'SummaryAttention',
    description: 'A kind of item that needs attention, with the number of such items.',
  },
);

const Section = Closed(
  {
    key: Type.Enum([...sectionKeys], { description: 'The domain of the section.' }),
    status: Type.Enum([...sectionStatuses], {
      description:
        "The status of the section. `stale`: the newest record is older than expected. `unavailable`: the domain could not be read this time. `not_entitled`: the credential's scopes do not cover the domain, so the section has no figures.",
    }),
    as_of: Nullable(asOf, 'The time of the newest figure; null if there is none.'),
    headline: Closed(
      {
        code: Type.Enum([...headlineCodes], { description: 'The state of the section, as a code.' }),
        params: Type.Record(Type.String(), Type.Number(), { description: 'The figures of the headline.' }),
      },
      { description: 'The headline of the section, as a code and figures.' },
    ),
    text: Type.String({
      maxLength: 4_000,
      description: 'The facts of the section, as sentences from a template. Empty if there are no facts.',
      examples: ['Order batches open: 3.'],
    }),
    wording: Nullable(
      Closed({
        text: Type.String({
          minLength: 1,
          maxLength: WORDING_CHARACTERS_MAX,
          description: 'Text written by the AI model. Every number in the text occurs in the section.',
          examples: ['There are 3 open order batches.'],
        }),
        model: Type.String({ maxLength: 200, description: 'The model.', examples: ['gpt-5-mini'] }),
        connection_uid: Uid(prefixes.aiConnection, 'The connection that was called.'),
        written_at: InstantOf('When the text was written.'),
      }),
      'Text about the facts, written by an AI provider of the workspace; null if no provider is chosen, or if there is no text for these facts.',
    ),
    metrics: Type.Array(Metric, { maxItems: 200, description: 'The figures of the section.' }),
    attention: Type.Array(Attention, {
      maxItems: 20,
      description: 'A kind of item that needs attention, with the number of such items.',
    }),
  },
  { title: 'SummarySection', description: 'The summary of one domain.' },
);

const IntelligenceSummary = Closed(
  {
    workspace_uid: Uid(prefixes.workspace, 'The workspace.'),
    environment: Type.Enum(['sandbox', 'production'], { description: 'The environment of the credential.' }),
    generated_at: InstantOf('When the summary was generated.'),
    sections: Type.Array(Section, { maxItems: 20, description: 'One section per domain, in a fixed order.' }),
    summary_hash: Sha256Of('SHA-256 of the RFC 8785 form of the sections. It changes when a fact changes.'),
  },
  { title: 'IntelligenceSummary', description: 'A summary of the workspace by domain.' },
);

export const getIntelligenceSummary = defineOperation({
  key: 'intelligence.summary.get',
  product: 'Intelligence',
  method: 'GET',
  path: '/intelligence/summary',
  scope: 'intelligence:read',
  summary: 'Summarises each domain of the workspace from stored records.',
  description:
    "Each section needs the scope of its domain in addition to this operation's scope: `actions:read`, `investment:read`, `quant:research:read`, `planning:read`, `ml:read`, `financial:read`, `data:reference:read`, `ai:connections:read`, `trust:write`, `workflow:read`.",
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
