import type { Context } from 'koa';
import { Problem } from '#lib/core/problem.ts';
import { readBytes } from '../http/read-bytes.ts';

const LIMIT_BYTES = 16 * 1024;

/** Reads the fields of a form. If a field is repeated, its last value counts. */
export async function readForm(ctx: Context): Promise<Readonly<Record<string, string>>> {
  if (!ctx.is('application/x-www-form-urlencoded'))
    throw new Problem('unsupported_media_type', 'Send the form as application/x-www-form-urlencoded.');
  const bytes = await readBytes(ctx.req, { limit: LIMIT_BYTES, length: ctx.request.length });
  return Object.fromEntries(new URLSearchParams(bytes.toString('utf8')));
}
