import Router from '@koa/router';
import type { Context } from 'koa';
import type { Log } from '#lib/core/log.ts';
import { Problem } from '#lib/core/problem.ts';
import type { FlowAnswer, FlowOutcome } from '#lib/access/console/oidc-flows.ts';
import type { FlowWish } from '#lib/access/oidc/flow.write.ts';
import { readForm } from '../form.ts';
import { html, type Html } from '../html.ts';
import { isFromConsole, type IsOwnHost } from '../requests.ts';
import { shellWord } from '../shell-word.ts';
import { partyOf, presentedFlow, setFlow, setSession, type SessionCookie } from '../session-cookie.ts';
import type { SignInPage } from './welcome.ts';

const CALLBACK = '/console/sign-in/oidc/callback';

/** Signs persons in at the identity provider of the deployment. */
export type Oidc = {
  /** The name of the provider on the sign-in page. */
  name: string;
  /** The largest number of requests of these routes that an address can make in a minute. */
  requestsPerMinute: number;
  /** Begins a sign-in. Throws if the provider cannot be reached. */
  start(wish: FlowWish, redirectUri: string): Promise<{ secret: string; url: string }>;
  /** Opens a session with the answer of the provider. */
  finish(answer: FlowAnswer): Promise<FlowOutcome>;
  /** Returns the address that ends the session at the provider, if there is one. */
  signOutUrl(): Promise<string | undefined>;
};

type Options = {
  oidc: Oidc;
  cookie: SessionCookie;
  isOwnHost: IsOwnHost;
  signInPage: SignInPage;
  answer(ctx: Context, title: string, body: Html, leadsTo?: string): Promise<void>;
  /** Counts a request. Returns the seconds to wait if the caller made too many. */
  quota(caller: string, perMinute: number): Promise<number | undefined>;
  log: Log;
};

/**
 * Creates the routes of the sign-in at the identity provider. Both answer with a page that leads on: the policy of the
 * console lets no form lead to another site, and a browser that comes from another site sends no session cookie.
 */
export function oidcRoutes({ oidc, cookie, isOwnHost, signInPage, answer, quota, log }: Options): Router {
  const router = new Router();

  router.post('/console/sign-in/oidc', async (ctx) => {
    if (!isFromConsole(ctx, isOwnHost))
      throw new Problem('form_not_accepted', 'The form must be sent from a page of the console.');
    await count(ctx);
    const form = await readForm(ctx);
    const environment = form['environment'] === 'production' ? ('production' as const) : ('sandbox' as const);
    const wish = { environment, page: form['return_to'] };
    const started = await oidc.start(wish, redirectUriOf(ctx)).catch((error: unknown) => {
      log.warn({ err: error, request_id: ctx.state['requestId'] }, 'the identity provider cannot be reached');
      return undefined;
    });
    if (!started)
      return refuse(ctx, 503, 'The identity provider cannot be reached. Try again in a few minutes.');
    setFlow(ctx, cookie, started.secret);
    await answer(ctx, 'Sign in', leading(`Continue with ${oidc.name}`, started.url), started.url);
  });

  router.get(CALLBACK, async (ctx) => {
    ctx.state['operation'] = `console ${CALLBACK}`;
    await count(ctx);
    const url = new URL(`${redirectUriOf(ctx)}${ctx.search}`);
    const secret = presentedFlow(ctx, cookie);
    const outcome = await oidc.finish({ url, secret, requestId: ctx.state['requestId'] });
    if (!outcome.ok) {
      const { code, detail, reason, unknown } = outcome;
      log.info({ request_id: ctx.state['requestId'], code, reason }, 'a sign-in to the console was refused');
      return refuse(ctx, code === 'provider_unreachable' ? 503 : 403, detail, unknown);
    }
    setSession(ctx, cookie, outcome.secret);
    setFlow(ctx, cookie, '');
    await answer(ctx, 'Signed in', leading('Signed in', outcome.page), outcome.page);
  });

  async function count(ctx: Context): Promise<void> {
    const waitS = await quota(`oidc ${ctx.ip}`, oidc.requestsPerMinute);
    if (waitS === undefined) return;
    ctx.set('Retry-After', String(waitS));
    throw new Problem('rate_limit_exceeded', `Too many requests. Try again in ${waitS} seconds.`);
  }

  async function refuse(
    ctx: Context,
    status: number,
    detail: string,
    unknown?: { issuer: string; subject: string },
  ): Promise<void> {
    ctx.status = status;
    await answer(ctx, 'Sign in', html`${signInPage(detail)}${unknown && linkAdvice(unknown)}`);
  }

  const redirectUriOf = (ctx: Context): string => `${partyOf(ctx, cookie).origin}${CALLBACK}`;

  return router;
}

/** Returns a page that leads to an address at once, also without scripts. */
function leading(heading: string, url: string): Html {
  return html`<h1>${heading}</h1>
    <p><a class="button" href="${url}">Continue</a></p>`;
}

/** Returns the command with which an operator links the account that the provider proved. */
export function linkAdvice({ issuer, subject }: { issuer: string; subject: string }): Html {
  const account = `--issuer ${shellWord(issuer)} --subject ${shellWord(subject)}`;
  return html`<h2>Link your account</h2>
    <p>Send this command to an operator, who replaces <code>per_…</code> with your person:</p>
    <pre tabindex="0"><code>npm run assay -- person identity add per_… ${account}</code></pre>`;
}
