import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';
import type { RelyingParty } from '#lib/access/passkeys/ceremonies.ts';
import { FLOW_MINUTES } from '#lib/access/oidc/flow.ts';
import { isConsoleSecret } from '#lib/access/console/session-secret.ts';

/**
 * The cookie of a session. Over HTTPS its name has the prefix `__Host-`, so browsers accept it only from this host and
 * only for all paths. Over plain HTTP, which is allowed only on loopback addresses, browsers reject such a cookie.
 */
export type SessionCookie = { readonly name: string; readonly isSecure: boolean };

/** Returns the cookie for the URL of the console; without a URL, the console is reached over plain HTTP. */
export function cookieFor(publicUrl: string | undefined): SessionCookie {
  const isSecure = publicUrl?.startsWith('https:') ?? false;
  return { name: isSecure ? '__Host-assay' : 'assay-console', isSecure };
}

/**
 * Returns the console as the browser reached it. Its host was checked before, so it is the configured one or a loopback
 * name. Browsers bind passkeys to the host name.
 */
export function partyOf(ctx: Context, { isSecure }: SessionCookie): RelyingParty {
  return { id: ctx.hostname, origin: `${isSecure ? 'https' : 'http'}://${ctx.host}` };
}

/** Returns the secret of the session that the request presents; undefined if there is none. */
export function presentedSession(ctx: Context, { name }: SessionCookie): string | undefined {
  for (const part of ctx.get('cookie').split(';')) {
    const [key, value] = part.trim().split('=');
    if (key === name && value !== undefined && isConsoleSecret(value)) return value;
  }
  return undefined;
}

/** Sets the cookie of a session, or deletes it if the secret is empty. */
export function setSession(ctx: Context, { name, isSecure }: SessionCookie, secret: string): void {
  const rest = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}${secret === '' ? '; Max-Age=0' : ''}`;
  ctx.set('Set-Cookie', `${name}=${secret}; ${rest}`);
}

/** Returns the name of the cookie of a sign-in at the identity provider. It is protected like that of a session. */
function flowName({ isSecure }: SessionCookie): string {
  return isSecure ? '__Host-assay-oidc' : 'assay-oidc';
}

/**
 * Returns the secret of the sign-in at the identity provider that this browser began; undefined if there is none. A
 * browser has one such cookie. If it presents several, somebody else may have set one, so none is used.
 */
export function presentedFlow(ctx: Context, cookie: SessionCookie): string | undefined {
  const name = flowName(cookie);
  const presented = ctx
    .get('cookie')
    .split(';')
    .map((part) => part.trim().split('='))
    .filter(([key]) => key === name);
  const secret = presented.length === 1 ? presented[0]![1] : undefined;
  return secret !== undefined && isConsoleSecret(secret) ? secret : undefined;
}

/**
 * Adds the cookie of a sign-in at the identity provider to the answer, or deletes it if the secret is empty. It is `Lax`,
 * so that browsers send it when the provider sends them back.
 */
export function setFlow(ctx: Context, cookie: SessionCookie, secret: string): void {
  const maxAgeS = secret === '' ? 0 : FLOW_MINUTES * 60;
  const rest = `Path=/; HttpOnly; SameSite=Lax${cookie.isSecure ? '; Secure' : ''}; Max-Age=${maxAgeS}`;
  ctx.append('Set-Cookie', `${flowName(cookie)}=${secret}; ${rest}`);
}

/** Returns the token that a form of a session must contain to carry out an action. */
export function formToken(session: string, action: string): string {
  return createHmac('sha256', session).update(action).digest('base64url');
}

/** Whether a form contains the token of the session for an action. Comparison takes the same time for every token. */
export function isFormToken(session: string, action: string, given: string): boolean {
  const expected = Buffer.from(formToken(session, action));
  const presented = Buffer.from(given);
  return expected.length === presented.length && timingSafeEqual(expected, presented);
}
