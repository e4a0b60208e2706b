import Router from '@koa/router';
import type { Context } from 'koa';
import { Problem } from '#lib/core/problem.ts';
import type { Log } from '#lib/core/log.ts';
import type { Ceremony } from '#lib/access/console/govern-in-session.ts';
import type { ConsoleSession } from '#lib/access/console/session.query.ts';
import { pageAfterSignIn } from '#lib/access/console/page-after-sign-in.ts';
import { signingAnswer } from '#lib/access/passkeys/answer.ts';
import { readForm } from '../form.ts';
import type { Html } from '../html.ts';
import { isFromConsole, type IsOwnHost } from '../requests.ts';
import { partyOf, setSession, type SessionCookie } from '../session-cookie.ts';
import type { Sessions } from './routes.ts';
import type { SignInPage } from './welcome.ts';

/** The largest number of challenges for signing in that an address gets in a minute. */
const CHALLENGES_PER_MINUTE = 20;

type Options = {
  sessions: Sessions;
  sessionOf(ctx: Context): Promise<{ session: ConsoleSession; secret: string } | undefined>;
  ceremonyOf(ctx: Context, secret: string): Ceremony;
  cookie: SessionCookie;
  isOwnHost: IsOwnHost;
  signInPage: SignInPage;
  answer(ctx: Context, title: string, body: Html): Promise<void>;
  /** Counts a request. Returns the seconds to wait if the caller made too many. */
  quota(caller: string, perMinute: number): Promise<number | undefined>;
  log: Log;
};

/** Creates the routes of passkeys: the challenges that browsers ask for, and signing in with a passkey. */
export function passkeyRoutes({
  sessions,
  sessionOf,
  ceremonyOf,
  cookie,
  isOwnHost,
  signInPage,
  answer,
  quota,
  log,
}: Options): Router {
  const router = new Router();

  router.post('/console/sign-in/challenge', async (ctx) => {
    checkOrigin(ctx);
    const waitS = await quota(`sign-in ${ctx.ip}`, CHALLENGES_PER_MINUTE);
    if (waitS !== undefined) {
      ctx.set('Retry-After', String(waitS));
      throw new Problem('rate_limit_exceeded', `Too many requests. Try again in ${waitS} seconds.`);
    }
    send(ctx, await sessions.challenge(partyOf(ctx, cookie)));
  });

  router.post('/console/sign-in/passkey', async (ctx) => {
    checkOrigin(ctx);
    const form = await readForm(ctx);
    const signed = signingAnswer(form['answer']);
    const environment = form['environment'] === 'production' ? ('production' as const) : ('sandbox' as const);
    const opened = signed
      ? await sessions.openWithPasskey(
          signed,
          { party: partyOf(ctx, cookie), environment },
          ctx.state['requestId'],
        )
      : { ok: false as const, detail: 'The browser sent no answer of a passkey.' };
    if (!opened.ok) {
      log.info({ request_id: ctx.state['requestId'] }, 'a sign-in to the console was refused');
      ctx.status = 403;
      return answer(ctx, 'Sign in', signInPage(opened.detail));
    }
    setSession(ctx, cookie, opened.secret);
    ctx.status = 303;
    ctx.redirect(pageAfterSignIn(form['return_to']));
  });

  router.post('/console/account/registration', async (ctx) => {
    checkOrigin(ctx);
    const known = await sessionOf(ctx);
    if (!known) throw new Problem('credential_required', 'Sign in to add a passkey.');
    send(ctx, await sessions.registration(known.session, ceremonyOf(ctx, known.secret)));
  });

  function checkOrigin(ctx: Context): void {
    if (!isFromConsole(ctx, isOwnHost))
      throw new Problem('form_not_accepted', 'The request must be sent from a page of the console.');
  }

  return router;
}

function send(ctx: Context, options: object): void {
  ctx.body = JSON.stringify(options);
  ctx.type = 'application/json';
}
