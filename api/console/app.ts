import Router from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import { brotliCompress, constants } from 'node:zlib';
import { promisify } from 'node:util';
import type { Clock } from '#lib/core/clock.ts';
import type { Log } from '#lib/core/log.ts';
import { Problem } from '#lib/core/problem.ts';
import type { Ceremony, Decided } from '#lib/access/console/govern-in-session.ts';
import { hasDuty, type Duty } from '#lib/access/console/duty.ts';
import type { AcceptedProofs } from '#lib/access/console/proof.ts';
import { findConsoleSession, type Ask, type ConsoleSession } from '#lib/access/console/session.query.ts';
import { sha256 } from '#lib/core/seal.ts';
import { accessLog } from '../http/access-log.ts';
import { CLIENT_GONE, ClientGone, watchClient } from '../http/gone.ts';
import { workspaceMoved } from '../http/moved.ts';
import { toProblem } from '../http/problem.ts';
import { limitQuery } from '../http/query-size.ts';
import { requestId } from '../http/request-id.ts';
import { createAssets } from './assets.ts';
import { decidedBy, statusOfRefusal, type Govern } from './decision.ts';
import { formOfPage, placeOfPage } from './form.ts';
import type { Html } from './html.ts';
import { liveRoutes, type LiveOptions } from './live.ts';
import type { DecisionCall, Page, PageCall, PageContent, Redirect } from './page.ts';
import { pages } from './pages.ts';
import { createQuota } from './quota.ts';
import type { ReadsOf } from './reads.ts';
import { checkRequest, consoleHeaders, ownHosts } from './requests.ts';
import { cookieFor, formToken, partyOf, presentedSession } from './session-cookie.ts';
import { bareShell, shell } from './shell.ts';
import { oidcRoutes, type Oidc } from './sign-in/oidc-routes.ts';
import { passkeyRoutes } from './sign-in/passkey-routes.ts';
import { signInRoutes, type Sessions } from './sign-in/routes.ts';
import { welcome } from './sign-in/welcome.ts';
import { problemPage } from './states.ts';

const compress = promisify(brotliCompress);

export type ConsoleOptions = Pick<LiveOptions, 'endings' | 'draining'> & {
  /** The URL at which browsers reach the console. Default: any loopback address of this machine. */
  publicUrl: string | undefined;
  reads: ReadsOf;
  sessions: Sessions;
  decisions: Decisions;
  /** The identity provider, if one is configured. */
  oidc: Oidc | undefined;
  /** The largest number of requests of a person in a minute. */
  requestsPerMinute(serviceClass: ConsoleSession['workspace']['serviceClass']): number;
  ask: Ask;
  clock: Clock;
  log: Log;
};

/** Carries out the decisions of persons. */
export type Decisions = {
  govern: Govern;
  /** The key that encrypts the secrets of one-time codes, if the console has it. */
  codeKey: Buffer | undefined;
  /** Dispatches runs to their queues after a decision has admitted the runs. */
  dispatch: DecisionCall['dispatch'];
  /** Dispatches a run to its queue again, unless the run has a live queue job. */
  dispatchAgain: DecisionCall['dispatchAgain'];
  /** Returns the proofs that a decision of the person accepts. */
  proofs(session: ConsoleSession): Promise<AcceptedProofs>;
  /** Issues the challenge that a passkey of the person signs to confirm a decision. */
  challenge(session: ConsoleSession, given: Ceremony & { decided: Decided }): Promise<object>;
};

/** Creates the browser console as a Koa application: sign-in, and one route for each page. */
export function createConsole({
  publicUrl,
  reads,
  sessions,
  decisions,
  oidc,
  requestsPerMinute,
  ask,
  clock,
  log,
  endings,
  draining,
}: ConsoleOptions): Koa {
  const { urls: assets, serve } = createAssets();
  const cookie = cookieFor(publicUrl);
  const isOwnHost = ownHosts(publicUrl);
  const router = new Router();

  const sessionOf = async (
    ctx: Context,
  ): Promise<{ session: ConsoleSession; secret: string } | undefined> => {
    const secret = presentedSession(ctx, cookie);
    const session = secret && (await findConsoleSession(ask, secret, clock.now()));
    if (!session) return undefined;
    if (session.movedTo !== undefined) throw workspaceMoved(session.movedTo);
    return { session, secret };
  };

  const ceremonyOf = (ctx: Context, secret: string): Ceremony => ({
    sessionHash: sha256(secret),
    party: partyOf(ctx, cookie),
  });

  const quota = createQuota(clock);
  const countRequest = async (ctx: Context, { person, workspace }: ConsoleSession): Promise<void> => {
    const waitS = await quota(person.uid, requestsPerMinute(workspace.serviceClass));
    if (waitS === undefined) return;
    ctx.set('Retry-After', String(waitS));
    throw new Problem('rate_limit_exceeded', `Too many requests. Try again in ${waitS} seconds.`);
  };

  const show = async (
    ctx: Context,
    page: Page | undefined,
    render: (known: Known) => Promise<PageContent | Redirect>,
  ) => {
    const known = await sessionOf(ctx);
    if (!known) {
      ctx.status = 401;
      const page = ctx.method === 'GET' ? ctx.url : undefined;
      return send(ctx, bareShell('Sign in', welcome({ provider: oidc?.name, page }), assets));
    }
    const { session, secret } = known;
    ctx.state['caller'] = { workspace: session.workspace.uid, application: session.person.uid };
    await countRequest(ctx, session);
    const content = await render(known).catch((error: unknown) => {
      if (error instanceof ClientGone) throw error;
      const problem = toProblem(error);
      if (problem !== error)
        log.error({ err: error, request_id: ctx.state['requestId'] }, 'a page of the console failed');
      ctx.status = problem.status;
      ctx.state['problemCode'] = problem.code;
      return problemPage(problem, ctx.state['requestId']);
    });
    if ('location' in content) {
      ctx.redirect(content.location);
      return;
    }
    const frame = {
      assets,
      session,
      area: page?.area,
      formToken: formToken(secret, 'sign-out'),
      now: clock.now(),
    };
    return send(ctx, shell(content, frame));
  };

  const readsOf = (ctx: Context, session: ConsoleSession) =>
    reads(session, { requestId: ctx.state['requestId'], signal: ctx.state['signal'] as AbortSignal });
  const callOf = (ctx: Context, page: Page, { session, secret }: Known, place: string): PageCall => ({
    session,
    params: textsOf(ctx['params'] as Record<string, string>),
    query: textsOf(singleValues(ctx.query)),
    now: clock.now(),
    token: formToken(secret, place),
    may: (duty) => hasDuty(session.person.roles, duty),
    mayDecide: (name) => {
      const duty = page.decisions?.find((decision) => decision.name === name)?.duty;
      return duty !== undefined && hasDuty(session.person.roles, duty);
    },
    proofs: () => decisions.proofs(session),
    ...readsOf(ctx, session),
  });
  // Addresses without parameters come first, so that they win over addresses with parameters.
  const ordered = pages.toSorted((one, other) => parametersOf(one.path) - parametersOf(other.path));
  for (const page of ordered) {
    router.get(page.path, (ctx) => {
      ctx.state['operation'] = `console ${page.path}`;
      return show(ctx, page, async (known) => {
        requireDuty(known.session, page.duty);
        return page.render(callOf(ctx, page, known, ctx.path));
      });
    });
    const { document } = page;
    if (document) {
      router.get(`${page.path}/json`, async (ctx) => {
        ctx.state['operation'] = `console ${page.path} json`;
        const known = await sessionOf(ctx);
        if (!known) throw new Problem('credential_required', 'Sign in to read this document.');
        await countRequest(ctx, known.session);
        ctx.body = JSON.stringify(await document(callOf(ctx, page, known, ctx.path)));
        ctx.type = 'application/json';
      });
    }
    for (const decision of page.decisions ?? []) {
      router.post(`${page.path}/${decision.name}/challenge`, async (ctx) => {
        ctx.state['operation'] = `console ${page.path} ${decision.name} challenge`;
        const known = await sessionOf(ctx);
        if (!known) throw new Problem('credential_required', 'Sign in to make this decision.');
        await countRequest(ctx, known.session);
        const form = await formOfPage(ctx, known.secret, { isOwnHost, place: placeOfPage(ctx.path, 2) });
        requireDuty(known.session, decision.duty);
        const decided = decidedBy(page, decision.name, known.session, ctx['params'], form);
        const given = { ...ceremonyOf(ctx, known.secret), decided };
        ctx.body = JSON.stringify(await decisions.challenge(known.session, given));
        ctx.type = 'application/json';
      });
      router.post(`${page.path}/${decision.name}`, (ctx) => {
        ctx.state['operation'] = `console ${page.path} ${decision.name}`;
        return show(ctx, page, async (known) => {
          const place = placeOfPage(ctx.path);
          const form = await formOfPage(ctx, known.secret, { isOwnHost, place });
          requireDuty(known.session, decision.duty);
          const call = callOf(ctx, page, known, place);
          const ceremony = ceremonyOf(ctx, known.secret);
          const outcome = await decision.act({
            ...call,
            form,
            ceremony,
            requestId: ctx.state['requestId'],
            codeKey: decisions.codeKey,
            dispatch: decisions.dispatch,
            dispatchAgain: decisions.dispatchAgain,
            decide: (command, inputOf) =>
              decisions.govern(known.session, command, inputOf, {
                ...ceremony,
                decided: decidedBy(page, decision.name, known.session, call.params, form),
                answer: form['answer'] || undefined,
                code: form['code'] || undefined,
                requestId: ctx.state['requestId'],
              }),
          });
          if ('location' in outcome) {
            ctx.status = 303;
            return outcome;
          }
          if ('preview' in outcome) return page.render({ ...call, shown: outcome });
          ctx.status = statusOfRefusal(outcome.code);
          ctx.state['problemCode'] = outcome.code;
          return page.render({ ...call, refused: { entered: form, ...outcome } });
        });
      });
    }
  }
  const answer = (ctx: Context, title: string, body: Html, leadsTo?: string) =>
    send(ctx, bareShell(title, body, assets, leadsTo));
  const signInPage = (fault?: string) => welcome({ fault, provider: oidc?.name });
  const given = { sessions, sessionOf, cookie, isOwnHost, signInPage, answer, quota, log };
  const signIns = [
    signInRoutes({ ...given, oidc }),
    passkeyRoutes({ ...given, ceremonyOf }),
    ...(oidc ? [oidcRoutes({ ...given, oidc })] : []),
  ];

  const askOf = (ctx: Context, session: ConsoleSession) => readsOf(ctx, session).ask;
  const live = liveRoutes({ sessionOf, askOf, countRequest, endings, draining });

  const app = new Koa();
  const layers = [
    requestId,
    watchClient,
    accessLog(log),
    consoleHeaders,
    checkRequest(isOwnHost),
    problemsAsPages(answer, log),
    serve,
    limitQuery,
  ];
  for (const layer of layers) app.use(layer);
  for (const each of [...signIns, live, router]) app.use(each.routes());
  app.use((ctx) =>
    show(ctx, undefined, async () => {
      throw new Problem('route_not_found', 'The console has no page at this address.');
    }),
  );
  return app;
}

/** Returns the number of parameters in the path of a page. */
function parametersOf(path: string): number {
  return path.split('/:').length - 1;
}

/** Throws the problem of a change that the roles of the person do not allow. */
function requireDuty({ person }: ConsoleSession, duty: Duty | undefined): void {
  if (duty === undefined || hasDuty(person.roles, duty)) return;
  throw new Problem(
    'role_not_sufficient',
    `Your roles do not allow this: ${person.roles.join(', ') || 'you have none'}.`,
  );
}

type Known = { session: ConsoleSession; secret: string };
type Answer = (ctx: Context, title: string, body: Html) => Promise<void>;

/**
 * If a request fails outside a page, for example because of a malformed query, answers with a page without navigation.
 */
function problemsAsPages(answer: Answer, log: Log): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (error instanceof ClientGone) {
        ctx.status = CLIENT_GONE;
        return;
      }
      const problem = toProblem(error);
      const id: string = ctx.state['requestId'];
      if (problem !== error) log.error({ err: error, request_id: id }, 'a request to the console failed');
      ctx.status = problem.status;
      ctx.state['problemCode'] = problem.code;
      const { title, body } = problemPage(problem, id);
      await answer(ctx, title, body);
    }
  };
}

/** Sends a page, compressed if the browser accepts compression. */
async function send(ctx: Context, page: Html): Promise<void> {
  ctx.type = 'html';
  ctx.vary('Accept-Encoding');
  if (ctx.acceptsEncodings('br', 'identity') === 'br') {
    ctx.set('Content-Encoding', 'br');
    ctx.body = await compress(page.markup, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
  } else {
    ctx.body = page.markup;
  }
}

/** Returns the values of an address. Throws a problem if one has the character U+0000, which no stored text has. */
function textsOf(values: Record<string, string>): Record<string, string> {
  if (Object.values(values).some((value) => value.includes('\0')))
    throw new Problem('malformed_request', 'The address has the character U+0000.');
  return values;
}

/** Keeps the first value of each parameter of a query. */
function singleValues(query: Context['query']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => {
      const first = Array.isArray(value) ? value[0] : value;
      return first === undefined || first === '' ? [] : [[name, first]];
    }),
  );
}
