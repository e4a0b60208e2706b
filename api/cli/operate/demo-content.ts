import { createClient, type Client } from '#lib/client/client.ts';
import { TWO_PERSON_ACTION } from '#lib/sample/governed/two-approvers.ts';
import type { BodyOf, Api } from '#lib/client/api.ts';
import type { Seeded } from '#lib/sample/demo.ts';

const VALID_DAYS = 30;
const DAY_MS = 86_400_000;

/** The parts of the sample that the content is made of: the applications of the governed sample, and its agent. */
type Sample = Pick<Seeded, 'api_key'> & {
  governed: {
    applications: Record<'drafter' | 'approver', { api_key: string }>;
    identity: { uid: string };
    counterparty_id: number;
    connector: string;
    currency: string;
  };
};

/** The request for the scenario. */
export type DemoScenario = BodyOf<Api['/generative/scenarios']['post']>;

/** The uids of the records. `delegation` is null if the workspace had such a delegation before. */
export type DemoContent = { forecast: string; scenario: string; delegation: string | null; pack: string };

/**
 * Adds records to the sample workspace over HTTP, so that the console has something to show: a forecast, a scenario, a
 * delegation that waits for its second vote, and an evidence pack. The delegation is drafted only if there is none.
 */
export async function demoContent(
  baseUrl: string,
  { api_key: apiKey, governed }: Sample,
  { scenario: body, now }: { scenario: DemoScenario; now: Date },
): Promise<DemoContent> {
  const client = createClient({ baseUrl, apiKey });
  const forecast = await client.submit('/planning/forecasts', {
    metric: 'economics.GDPC1',
    horizon: 8,
    reason: 'Budget of the demo',
  });
  const scenario = await client.POST('/generative/scenarios', {
    body,
    headers: { prefer: 'respond-async' },
  });
  const delegation = await pendingDelegation(baseUrl, governed, now);
  const pack = await client.submit('/trust/evidence-packs', {});
  await Promise.all([forecast.sealed(), pack.sealed()]);
  return {
    forecast: forecast.uid,
    scenario: (scenario.data as { uid: string }).uid,
    delegation,
    pack: pack.uid,
  };
}

/** Returns the text that names the records. */
export function contentText({ forecast, scenario, delegation, pack }: DemoContent): string {
  const lines = [
    `forecast     ${forecast}`,
    `scenario     ${scenario}`,
    ...(delegation === null ? [] : [`delegation   ${delegation}, waits for the vote of a second person`]),
    `pack         ${pack}, evidence from the audit log`,
  ];
  return `Further records of the workspace:\n${lines.join('\n')}`;
}

/** Drafts a delegation as one application, and casts the first of two votes as another. Returns its uid. */
async function pendingDelegation(
  baseUrl: string,
  { applications, identity, counterparty_id, connector, currency }: Sample['governed'],
  now: Date,
): Promise<string | null> {
  const drafter = createClient({ baseUrl, apiKey: applications.drafter.api_key });
  if (await hasDelegation(drafter)) return null;
  const drafted = await drafter.POST('/actions/agentic/identities/{uid}/delegations', {
    params: { path: { uid: identity.uid } },
    body: {
      action: TWO_PERSON_ACTION,
      counterparty_id,
      connector,
      currency,
      execution_mode: 'supervised',
      risk_tier: 'T1',
      budgets: { per_action_minor: 500_000, per_day_minor: 2_000_000, per_month_minor: 20_000_000 },
      valid_until: new Date(now.getTime() + VALID_DAYS * DAY_MS).toISOString(),
      reason: 'Margin calls of the sample supplier',
    },
  });
  const { uid } = drafted.data as { uid: string };
  const approver = createClient({ baseUrl, apiKey: applications.approver.api_key });
  await approver.POST('/actions/agentic/delegations/{uid}/approve', { params: { path: { uid } } });
  return uid;
}

/** Whether the workspace has a delegation of the action that needs two persons, in any state. */
async function hasDelegation(client: Client): Promise<boolean> {
  for await (const { action } of client.pages('/actions/agentic/delegations', {})) {
    if (action === TWO_PERSON_ACTION) return true;
  }
  return false;
}
