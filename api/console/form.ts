import type { Context } from 'koa';
import { Problem } from '#lib/core/problem.ts';
import { readBytes } from '../http/read-bytes.ts';
import { isFromConsole, type IsOwnHost } from './requests.ts';
import { isFormToken } from './session-cookie.ts';

const LIMIT_BYTES = 16 * 1024;

/** Reads the fields of a form. If a field is repeated, its last value is used. */
export async function readForm(ctx: Context): Promise<Readonly<Record<string, string>>> {
  if (!ctx.is('application/x-www-form-urlencoded'))
    throw new Problem('unsupported_media_type', 'Send the form as application/x-www-form-urlencoded.');
  const bytes = await readBytes(ctx.req, { limit: LIMIT_BYTES, length: ctx.request.length });
  const text = bytes.toString('utf8');
  const fields = [...new URLSearchParams(text)];
  if (fields.some(([, value]) => value.includes('\0')))
    throw new Problem('malformed_request', 'A field has the character U+0000.');
  return Object.fromEntries(fields);
}

/**
 * Reads the form of a decision. Throws a problem unless the form comes from a page of the console, in the same session,
 * and from the page at `place`.
 */
export async function formOfPage(
  ctx: Context,
  session: string,
  { isOwnHost, place }: { isOwnHost: IsOwnHost; place: string },
): Promise<Readonly<Record<string, string>>> {
  if (!isFromConsole(ctx, isOwnHost))
    throw new Problem('form_not_accepted', 'The form must be sent from a page of the console.');
  const form = await readForm(ctx);
  if (!isFormToken(session, place, form['token'] ?? ''))
    throw new Problem(
      'form_not_accepted',
      'The form does not belong to this page and session. Load the page again.',
    );
  return form;
}

/** Returns the address of a page from the address of one of its decisions, which has more parts at the end. */
export function placeOfPage(path: string, parts = 1): string {
  return path.split('/').slice(0, -parts).join('/');
}
