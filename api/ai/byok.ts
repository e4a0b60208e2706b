import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Instant, IsoDate, Nullable, Uid } from '#lib/core/schema.ts';
import { readUsage, USAGE_ROWS_MAX, type UsageRow } from '#lib/ai/usage.query.ts';
import { usageTotals } from '#lib/ai/usage-totals.ts';
import { defineOperation } from '../services.ts';

const Count = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description, examples: [12] });
const Tokens = (description: string) => Nullable(Count(description), `${description} Null: not reported.`);
const Currency = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.', examples: ['USD'] });
const Micro = Count('In 10^-6 of the major unit of the currency.');
const Text = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 200, description, examples: [example] });

const Row = Closed(
  {
    date: { ...IsoDate, description: 'The day (UTC).' },
    connection_uid: Uid(prefixes.aiConnection, 'The connection.'),
    connection_label: Text('What its people call it.', 'Main'),
    provider: Text('Whose service it is.', 'openai'),
    model: Text('The model that was asked for.', 'gpt-5-mini'),
    operation: Type.Enum(['chat', 'embeddings', 'rerank', 'other'], { description: 'What was asked for.' }),
    requests: Count('Calls, each with its retry.'),
    failed_requests: Count('Of these, those without an answer that could be used.'),
    input_tokens: Tokens('Tokens that went in.'),
    output_tokens: Tokens('Tokens that came out.'),
    cache_read_input_tokens: Tokens('Of the input, read from the cache of the provider.'),
    cache_creation_input_tokens: Tokens('Of the input, written into it.'),
    reasoning_output_tokens: Tokens('Of the output, reasoning.'),
    cost: Nullable(
      Closed({
        currency: Currency,
        amount_micro: Micro,
        price_version: Type.Integer({
          minimum: 1,
          maximum: 2_147_483_647,
          description: 'The version of the price of the model that it was counted with.',
          examples: [1],
        }),
      }),
      'Null: nobody can say. What is not known is never 0.',
    ),
    priced: Type.Boolean({ description: 'Whether the cost is known.' }),
  },
  { title: 'AiUsageRow', description: 'The calls of a day, connection, model, operation and price.' },
);

const AiUsage = Closed(
  {
    workspace_uid: Uid(prefixes.workspace, 'The workspace.'),
    window: Closed(
      {
        days: Type.Integer({ minimum: 1, maximum: 366, description: 'How many.', examples: [30] }),
        from: { ...IsoDate, description: 'The first day (UTC).' },
        to: { ...IsoDate, description: 'Today (UTC).' },
        partial_last_day: Type.Literal(true, { description: 'Today is not over.' }),
      },
      { description: 'The days that are told of.' },
    ),
    rows: Type.Array(Row, { maxItems: USAGE_ROWS_MAX, description: 'Newest day first.' }),
    totals: Closed(
      {
        requests: Count('Calls.'),
        failed_requests: Count('Of these, those that failed.'),
        input_tokens: Tokens('Tokens that went in.'),
        output_tokens: Tokens('Tokens that came out.'),
        cost: Type.Array(Closed({ currency: Currency, amount_micro: Micro }), {
          maxItems: 200,
          description: 'Each currency by itself; nothing is converted.',
        }),
        unpriced_requests: Count('Calls that may have cost something, nobody can say what.'),
        is_floor: Type.Boolean({
          description: 'Whether a part is not known, so that the sums are the least.',
        }),
      },
      { description: 'Of all rows.' },
    ),
    coverage: Closed(
      {
        first_event_at: Nullable(Instant, 'The first call that was ever made; null before it.'),
        late_events: Count('Calls whose end was learnt more than five minutes after their start.'),
      },
      { description: 'What the figures rest on.' },
    ),
  },
  { title: 'AiUsage', description: 'Use of the AI providers that the workspace has connected.' },
);

export const getAiUsage = defineOperation({
  key: 'ai.byok.usage.get',
  product: 'AI providers',
  method: 'GET',
  path: '/ai/byok/usage',
  scope: 'ai:connections:read',
  summary: 'Tells what the AI providers that the workspace has connected were used for, and what it cost.',
  description: 'Days are those of UTC, today among them. No key, no question and no answer is in it.',
  query: Closed({
    days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 366, default: 30, description: 'Of how many days, up to today.' }),
    ),
  }),
  success: { status: 200, description: 'The usage.', schema: AiUsage },
  problems: [],
  async handle({ services, caller, query }) {
    const days = query.days ?? 30;
    const usage = await services.query(readUsage, days, services.clock.now());
    return {
      status: 200,
      body: {
        workspace_uid: caller.workspace,
        window: { days, from: usage.from, to: usage.to, partial_last_day: true as const },
        rows: usage.rows.map(presentRow),
        totals: usageTotals(usage.rows, usage.isTruncated),
        coverage: { first_event_at: usage.firstEventAt, late_events: usage.lateEvents },
      },
    };
  },
});

function presentRow(row: UsageRow) {
  const { currency, costMicro, priceVersion } = row;
  const isPriced = currency !== null && costMicro !== null && priceVersion !== null;
  return {
    date: row.date,
    connection_uid: row.connectionUid,
    connection_label: row.connectionLabel,
    provider: row.provider,
    model: row.model,
    operation: row.operation,
    requests: row.requests,
    failed_requests: row.failedRequests,
    input_tokens: row.inputTokens,
    output_tokens: row.outputTokens,
    cache_read_input_tokens: row.cacheReadInputTokens,
    cache_creation_input_tokens: row.cacheCreationInputTokens,
    reasoning_output_tokens: row.reasoningOutputTokens,
    cost: isPriced ? { currency, amount_micro: costMicro, price_version: priceVersion } : null,
    priced: isPriced,
  };
}
