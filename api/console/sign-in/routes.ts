import { ACCOUNT } from '../account/place.ts';
import Router from '@koa/router';
import type { Context } from 'koa';
import type { Log } from '#lib/core/log.ts';
import type { Ceremony } from '#lib/access/console/govern-in-session.ts';
import type { ConsoleSession } from '#lib/access/console/session.query.ts';
import type { SigningAnswer } from '#lib/access/passkeys/answer.ts';
import type { RelyingParty } from '#lib/access/passkeys/ceremonies.ts';
import { pageAfterSignIn } from '#lib/access/console/page-after-sign-in.ts';
import { isConsoleSecret } from '#lib/access/console/session-secret.ts';
import { readForm } from '../form.ts';
import { html, type Html } from '../html.ts';
import { isFromConsole, type IsOwnHost } from '../requests.ts';
import { isFormToken, setSession, type SessionCookie } from '../session-cookie.ts';
import type { Oidc } from './oidc-routes.ts';
import type { SignInPage } from './welcome.ts';

/** Opens and closes sessions. */
export type Sessions = {
  /** Opens a session with the secret of a link. Returns the reason if the link cannot open a session. */
  open(
    link: string,
    requestId: string,
  ): Promise<{ ok: true; secret: string } | { ok: false; detail: string }>;
  /** Opens a session with the answer of a passkey. Returns the reason if the answer opens none. */
  openWithPasskey(
    answer: SigningAnswer,
    place: { party: RelyingParty; environment: ConsoleSession['environment'] },
    requestId: string,
  ): Promise<{ ok: true; secret: string } | { ok: false; detail: string }>;
  /** Issues a challenge that any passkey may sign to open a session. */
  challenge(party: RelyingParty): Promise<object>;
  /** Returns the options with which the browser creates a passkey for the person of a session. */
  registration(session: ConsoleSession, ceremony: Ceremony): Promise<object>;
  /** Closes the session with the secret or, with `everywhere`, all sessions of its person. */
  close(
    session: ConsoleSession,
    closing: { secret: string; everywhere: boolean },
    requestId: string,
  ): Promise<void>;
};

type SignIn = {
  sessions: Sessions;
  sessionOf(ctx: Context): Promise<{ session: ConsoleSession; secret: string } | undefined>;
  cookie: SessionCookie;
  isOwnHost: IsOwnHost;
  signInPage: SignInPage;
  oidc: Oidc | undefined;
  answer(ctx: Context, title: string, body: Html): Promise<void>;
  log: Log;
};

/** Creates the routes of sign-in and sign-out. Only a form of the console itself changes a session. */
export function signInRoutes({
  sessions,
  sessionOf,
  cookie,
  isOwnHost,
  signInPage,
  oidc,
  answer,
  log,
}: SignIn): Router {
  const router = new Router();

  router.get('/console/sign-in', (ctx) => answer(ctx, 'Sign in', signInPage()));

  router.post('/console/sign-in', async (ctx) => {
    if (!isFromConsole(ctx, isOwnHost))
      return refuse(ctx, 'The form must be sent from a page of the console.');
    const { link = '', return_to: page } = await readForm(ctx);
    const opened = isConsoleSecret(link)
      ? await sessions.open(link, ctx.state['requestId'])
      : { ok: false as const, detail: 'The sign-in link is not valid.' };
    if (!opened.ok) return refuse(ctx, opened.detail);
    setSession(ctx, cookie, opened.secret);
    ctx.status = 303;
    ctx.redirect(pageAfterSignIn(page));
  });

  router.post('/console/sign-out', async (ctx) => {
    const known = await sessionOf(ctx);
    const { token = '', everywhere } = await readForm(ctx);
    const place = everywhere === undefined ? 'sign-out' : ACCOUNT;
    if (!known || !isFromConsole(ctx, isOwnHost) || !isFormToken(known.secret, place, token))
      return refuse(ctx, 'The form does not belong to an open session.');
    const closing = { secret: known.secret, everywhere: everywhere !== undefined };
    await sessions.close(known.session, closing, ctx.state['requestId']);
    setSession(ctx, cookie, '');
    const atProvider = known.session.proof === 'oidc' ? await oidc?.signOutUrl() : undefined;
    await answer(
      ctx,
      'Signed out',
      html`<h1>Signed out</h1>
        <p>${everywhere === undefined ? 'The session is closed.' : 'All your sessions are closed.'}</p>
        ${
          atProvider !== undefined &&
          html`<p>You are still signed in with ${oidc?.name}.</p>
            <p><a class="button" href="${atProvider}">Sign out there as well</a></p>`
        }`,
    );
  });

  async function refuse(ctx: Context, detail: string): Promise<void> {
    log.info({ request_id: ctx.state['requestId'] }, 'a sign-in to the console was refused');
    ctx.status = 403;
    await answer(ctx, 'Sign in', signInPage(detail));
  }

  return router;
}
