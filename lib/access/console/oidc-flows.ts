import type { Clock } from '#lib/core/clock.ts';
import type { Orm } from '#lib/database/base.ts';
import { inPlatform } from '#lib/database/orm.ts';
import { govern } from '#lib/governance/govern.ts';
import { FLOW_MINUTES, flowTexts } from '../oidc/flow.ts';
import { beginFlow, endFlow, recordRefusal, type FlowWish } from '../oidc/flow.write.ts';
import type { OidcProvider, ProviderFault } from '../oidc/provider.ts';
import { signInWithIdentity } from '../oidc/sign-in-with-identity.command.ts';

export type FlowMeans = { orm: Orm; clock: Clock; provider: OidcProvider };

/** The answer of the provider, as the browser brought it, and the secret in the cookie of the browser. */
export type FlowAnswer = { url: URL; secret: string | undefined; requestId: string };

export type FlowOutcome =
  | { ok: true; secret: string; page: string }
  | {
      ok: false;
      code: string;
      detail: string;
      /** The identity that the provider proved, if it is not linked to a person. */
      unknown?: { issuer: string; subject: string };
      /** Why the answer was refused, for the log. */
      reason?: string;
    };

const flowUnknown = {
  ok: false as const,
  code: 'flow_unknown',
  detail: `The sign-in was not started in this browser, has ended, or took more than ${FLOW_MINUTES} minutes. Start again.`,
};

const faults: Readonly<Record<ProviderFault, string>> = {
  provider_unreachable: 'The identity provider cannot be reached. Try again in a few minutes.',
  provider_refused: 'The identity provider did not sign you in.',
  token_invalid:
    'The answer of the identity provider was refused. Sign out at the provider, then start again.',
};

/**
 * Begins a sign-in at the identity provider. Returns the secret for the cookie of the browser, and the address at the
 * provider. Throws if the provider cannot be reached.
 */
export async function startFlow(
  { orm, clock, provider }: FlowMeans,
  wish: FlowWish,
  redirectUri: string,
): Promise<{ secret: string; url: string }> {
  const secret = await inPlatform(orm, (em) => beginFlow(em, wish, clock.now()));
  return { secret, url: (await provider.authorizationUrl(secret, redirectUri)).href };
}

/**
 * Opens a session with the answer of the identity provider. The answer must belong to a flow that the same browser began.
 * An answer with another state ends no flow, so that another site cannot end it. Any other answer ends the flow.
 */
export async function finishFlow(
  { orm, clock, provider }: FlowMeans,
  { url, secret, requestId }: FlowAnswer,
): Promise<FlowOutcome> {
  const states = url.searchParams.getAll('state');
  if (secret === undefined || states.length !== 1 || states[0] !== flowTexts(secret).state)
    return flowUnknown;
  const flow = await inPlatform(orm, (em) => endFlow(em, secret, clock.now()));
  if (!flow) return flowUnknown;

  const refuse = async (refused: Extract<FlowOutcome, { ok: false }>, identity = refused.unknown) => {
    await inPlatform(orm, (em) => recordRefusal(em, secret, { code: refused.code, identity }));
    return refused;
  };
  const answer = await provider.claim(url, secret);
  if (!answer.ok)
    return refuse({ ok: false, code: answer.code, detail: faults[answer.code], reason: answer.reason });

  const { claimed } = answer;
  const { issuer, subject } = claimed;
  const request = { actor: { kind: 'system' as const }, clock, requestId };
  const given = { claimed, environment: flow.environment };
  const outcome = await govern(orm, signInWithIdentity, given, request);
  if (outcome.ok) return { ok: true, secret: outcome.result.secret, page: flow.page };
  const { code, detail } = outcome;
  const unknown = code === 'identity_unknown' ? { unknown: { issuer, subject } } : {};
  return refuse({ ok: false, code, detail, ...unknown }, { issuer, subject });
}
