import { createClient, type Client } from '#lib/client/client.ts';
import { sha256 } from '#lib/core/seal.ts';
import { TWO_PERSON_ACTION } from '#lib/sample/governed/two-approvers.ts';
import type { BodyOf, Api } from '#lib/client/api.ts';
import type { Seeded } from '#lib/sample/demo.ts';

const VALID_DAYS = 30;
const DAY_MS = 86_400_000;
/** The action of the delegation that the owner of the workspace cannot approve. */
const OTHER_ACTION = 'obligation.pay';
/** A settled trade that no order of the sample batch explains. */
const UNEXPLAINED = {
  line_reference: 'extra',
  instrument: { isin: 'FR0000121014' },
  side: 'buy' as const,
  quantity: '10',
  currency: 'EUR',
  settlement_amount_minor: 620_000,
  amount_scale: 2,
};

/** The parts of the sample that the content is made of: the applications of the governed sample, and its agent. */
type Sample = Pick<Seeded, 'api_key'> & {
  governed: {
    applications: Record<'drafter' | 'approver', { api_key: string }>;
    identity: { uid: string };
    counterparty_id: number;
    connector: string;
    currency: string;
    batch: { uid: string; orders: readonly SampleOrder[] };
    custodian: string;
  };
};

type SampleOrder = {
  order_hash: string;
  instrument: object;
  side: string;
  quantity: string;
  currency: string;
  settlement_amount_minor: number;
  amount_scale: number;
  settlement_date: string;
};

/** The request for the scenario. */
export type DemoScenario = BodyOf<Api['/generative/scenarios']['post']>;

/** The uids of the records. Records that the workspace had before are null. */
export type DemoContent = {
  forecast: string;
  scenario: string;
  delegation: string | null;
  exception: string | null;
  pack: string;
};

/**
 * Adds records to the sample workspace over HTTP, so that the console has something to show and to decide: two forecasts,
 * a scenario, a delegation that waits for the vote of the owner and another that waits for other persons, an exception of
 * the settlement, and an evidence pack. Delegations and exceptions are created only if there are none.
 */
export async function demoContent(
  baseUrl: string,
  { api_key: apiKey, governed }: Sample,
  { scenario: body, now }: { scenario: DemoScenario; now: Date },
): Promise<DemoContent> {
  const client = createClient({ baseUrl, apiKey });
  const forecastOf = (horizon: number) =>
    client.submit('/planning/forecasts', {
      metric: 'economics.GDPC1',
      horizon,
      reason: 'Budget of the demo',
    });
  const forecast = await forecastOf(8);
  const shorter = await forecastOf(4);
  const scenario = await client.POST('/generative/scenarios', {
    body,
    headers: { prefer: 'respond-async' },
  });
  const delegation = await pendingDelegation(baseUrl, governed, now);
  const recorder = createClient({ baseUrl, apiKey: governed.applications.drafter.api_key });
  const exception = await openException(recorder, governed, now);
  const pack = await client.submit('/trust/evidence-packs', {});
  await Promise.all([forecast.sealed(), shorter.sealed(), pack.sealed()]);
  return {
    forecast: forecast.uid,
    scenario: (scenario.data as { uid: string }).uid,
    delegation,
    exception,
    pack: pack.uid,
  };
}

/** Returns the text that names the records. */
export function contentText({ forecast, scenario, delegation, exception, pack }: DemoContent): string {
  const lines = [
    `forecast     ${forecast}`,
    `scenario     ${scenario}`,
    ...(delegation === null ? [] : [`delegation   ${delegation}, waits for the vote of a second person`]),
    ...(exception === null ? [] : [`exception    ${exception}, a settled trade that no order explains`]),
    `pack         ${pack}, evidence from the audit log`,
  ];
  return `Further records of the workspace:\n${lines.join('\n')}`;
}

/**
 * Drafts two delegations as one application, and casts the first of two votes on one of them as another. The other one
 * waits for the persons of its own approval graph. Returns the uid of the one with the vote.
 */
async function pendingDelegation(
  baseUrl: string,
  governed: Sample['governed'],
  now: Date,
): Promise<string | null> {
  const drafter = createClient({ baseUrl, apiKey: governed.applications.drafter.api_key });
  if (await hasDelegation(drafter)) return null;
  await draftDelegation(drafter, governed, { action: OTHER_ACTION, reason: 'Invoices of the supplier', now });
  const reason = 'Margin calls of the sample supplier';
  const uid = await draftDelegation(drafter, governed, { action: TWO_PERSON_ACTION, reason, now });
  const approver = createClient({ baseUrl, apiKey: governed.applications.approver.api_key });
  await approver.POST('/actions/agentic/delegations/{uid}/approve', { params: { path: { uid } } });
  return uid;
}

type Draft = { action: typeof TWO_PERSON_ACTION | typeof OTHER_ACTION; reason: string; now: Date };

async function draftDelegation(
  drafter: Client,
  { identity, counterparty_id, connector, currency }: Sample['governed'],
  { action, reason, now }: Draft,
): Promise<string> {
  const drafted = await drafter.POST('/actions/agentic/identities/{uid}/delegations', {
    params: { path: { uid: identity.uid } },
    body: {
      action,
      counterparty_id,
      connector,
      currency,
      execution_mode: 'supervised',
      risk_tier: 'T1',
      budgets: { per_action_minor: 500_000, per_day_minor: 2_000_000, per_month_minor: 20_000_000 },
      valid_until: new Date(now.getTime() + VALID_DAYS * DAY_MS).toISOString(),
      reason,
    },
  });
  return (drafted.data as { uid: string }).uid;
}

/**
 * Records custody evidence of the sample batch, with a trade that no order explains, as an application of another person,
 * so that the owner of the workspace can decide. Returns the uid of the exception that this opens; null if the workspace
 * has an exception.
 */
async function openException(
  client: Client,
  { batch, custodian }: Sample['governed'],
  now: Date,
): Promise<string | null> {
  for await (const { uid } of client.pages('/actions/execution-exceptions', {})) if (uid) return null;
  const reference = `CUST-${batch.uid}`;
  const observed = await client.POST('/actions/investment-execution/{uid}/custody', {
    params: { path: { uid: batch.uid } },
    body: {
      observation_reference: reference,
      custodian,
      account_reference: 'SAMPLE-4821',
      observed_at: now.toISOString(),
      settlement_date: batch.orders[0]!.settlement_date,
      status: 'settled',
      source_system: 'sample_custody_feed',
      source_reference: reference,
      source_hash: sha256(reference),
      lines: [
        ...batch.orders.map((order, at) => ({
          line_reference: String(at + 1),
          order_hash: order.order_hash,
          instrument: order.instrument,
          side: order.side as 'buy' | 'sell',
          quantity: order.quantity,
          currency: order.currency,
          settlement_amount_minor: order.settlement_amount_minor,
          amount_scale: order.amount_scale,
        })),
        UNEXPLAINED,
      ],
    },
  });
  const { exceptions } = observed.data as { exceptions: readonly { uid: string }[] };
  return exceptions[0]?.uid ?? null;
}

/** Whether the workspace has a delegation of the action that needs two persons, in any state. */
async function hasDelegation(client: Client): Promise<boolean> {
  for await (const { action } of client.pages('/actions/agentic/delegations', {})) {
    if (action === TWO_PERSON_ACTION) return true;
  }
  return false;
}
