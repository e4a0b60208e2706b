import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Instant, IsoDate, Nullable, Uid } from '#lib/core/schema.ts';
import { readUsage, USAGE_ROWS_MAX, type UsageRow } from '#lib/ai/usage.query.ts';
import { usageTotals } from '#lib/ai/usage-totals.ts';
import { defineOperation } from '../services.ts';

const Count = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description, examples: [12] });
const Tokens = (description: string) => Nullable(Count(description), `${description} Null if not reported.`);
const Currency = Type.String({
  pattern: '^[A-Z]{3}$',
  description: 'The currency, ISO 4217.',
  examples: ['USD'],
});
const Micro = Count('Amount in 10^-6 of the major unit of the currency.');
const Text = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 200, description, examples: [example] });

const Row = Closed(
  {
    date: { ...IsoDate, description: 'The day (UTC).' },
    connection_uid: Uid(prefixes.aiConnection, 'The uid of the AI connection.'),
    connection_label: Text('The label of the connection.', 'Main'),
    provider: Text('The AI provider.', 'openai'),
    model: Text('The requested model.', 'gpt-5-mini'),
    operation: Type.Enum(['chat', 'embeddings', 'rerank', 'other'], { description: 'The kind of call.' }),
    requests: Count('Number of calls. A retried call counts once.'),
    failed_requests: Count('Number of calls without a usable answer.'),
    input_tokens: Tokens('Input tokens.'),
    output_tokens: Tokens('Output tokens.'),
    cache_read_input_tokens: Tokens("Input tokens read from the provider's cache."),
    cache_creation_input_tokens: Tokens("Input tokens written to the provider's cache."),
    reasoning_output_tokens: Tokens('Output tokens used for reasoning.'),
    cost: Nullable(
      Closed({
        currency: Currency,
        amount_micro: Micro,
        price_version: Type.Integer({
          minimum: 1,
          maximum: 2_147_483_647,
          description: "The version of the model's price that the cost was computed with.",
          examples: [1],
        }),
      }),
      'The cost; null if unknown. An unknown cost is never 0.',
    ),
    priced: Type.Boolean({ description: 'Whether the cost is known.' }),
  },
  {
    title: 'AiUsageRow',
    description: 'The usage of one day, connection, model, operation and price version.',
  },
);

const AiUsage = Closed(
  {
    workspace_uid: Uid(prefixes.workspace, 'The uid of the workspace.'),
    window: Closed(
      {
        days: Type.Integer({ minimum: 1, maximum: 366, description: 'Number of days.', examples: [30] }),
        from: { ...IsoDate, description: 'The first day (UTC).' },
        to: { ...IsoDate, description: 'Today (UTC).' },
        partial_last_day: Type.Literal(true, {
          description: 'Always true: the last day is today, and its data is incomplete.',
        }),
      },
      { description: 'The range of days that the figures cover.' },
    ),
    rows: Type.Array(Row, { maxItems: USAGE_ROWS_MAX, description: 'The rows, newest day first.' }),
    totals: Closed(
      {
        requests: Count('Calls.'),
        failed_requests: Count('Number of calls that failed.'),
        input_tokens: Tokens('Input tokens.'),
        output_tokens: Tokens('Output tokens.'),
        cost: Type.Array(Closed({ currency: Currency, amount_micro: Micro }), {
          maxItems: 200,
          description: 'The cost per currency; nothing is converted.',
        }),
        unpriced_requests: Count('Number of calls that may have cost something, but whose cost is unknown.'),
        is_floor: Type.Boolean({
          description: 'Whether some tokens or costs are unknown, so that the sums are lower bounds.',
        }),
      },
      { description: 'The sums of all rows.' },
    ),
    coverage: Closed(
      {
        first_event_at: Nullable(Instant, 'When the first call was made; null if there was none.'),
        late_events: Count(
          'Number of calls whose end was recorded more than five minutes after their start.',
        ),
      },
      { description: 'The coverage of the figures: the first call, and calls that were recorded late.' },
    ),
  },
  { title: 'AiUsage', description: 'Usage of the AI providers that the workspace has connected.' },
);

export const getAiUsage = defineOperation({
  key: 'ai.byok.usage.get',
  product: 'AI providers',
  method: 'GET',
  path: '/ai/byok/usage',
  scope: 'ai:connections:read',
  summary: 'Returns the usage and cost of the AI providers that the workspace has connected.',
  description: 'Days are UTC days and include today. The answer contains no key, prompt or completion.',
  query: Closed({
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 366,
        default: 30,
        description: 'Number of days to report. The last day is today.',
      }),
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
