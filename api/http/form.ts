import type { Context, Middleware } from 'koa';
import { Problem } from '#lib/core/problem.ts';
import { parseJson } from './json.ts';
import { readBytes } from './read-bytes.ts';

const LIMIT_BYTES = 16 * 1024;

/**
 * Reads the parameters of an OAuth request, from a form or from JSON, into `ctx.state.body`. Each parameter
 * is a text and occurs once.
 */
export const readForm: Middleware = async (ctx, next) => {
  if (ctx.querystring !== '') throw invalidRequest('Send the parameters in the body, not in the URL.');
  const bytes = await read(ctx);
  ctx.state['body'] = ctx.is('application/json') ? fromJson(bytes) : fromForm(ctx, bytes);
  await next();
};

async function read(ctx: Context): Promise<Buffer> {
  try {
    return await readBytes(ctx.req, { limit: LIMIT_BYTES, length: ctx.request.length });
  } catch (error) {
    throw new Problem('invalid_request', `The body is incomplete, or has more than ${LIMIT_BYTES} bytes.`, {
      cause: error,
    });
  }
}

function fromJson(bytes: Buffer): Record<string, string> {
  const value = bytes.length === 0 ? {} : parseJson(bytes);
  const isFlat =
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((each) => typeof each === 'string');
  if (!isFlat) throw invalidRequest('The body must be one JSON object with string values.');
  return value as Record<string, string>;
}

function fromForm(ctx: Context, bytes: Buffer): Record<string, string> {
  if (bytes.length > 0 && !ctx.is('application/x-www-form-urlencoded')) {
    throw invalidRequest('Send the body as application/x-www-form-urlencoded or application/json.');
  }
  const parameters: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(bytes.toString('utf8'))) {
    if (Object.hasOwn(parameters, name)) throw invalidRequest(`The parameter ${name} is repeated.`);
    // A parameter without a value counts as omitted (RFC 6749, section 3.2).
    if (value !== '') parameters[name] = value;
  }
  return parameters;
}

export function invalidRequest(detail: string): Problem {
  return new Problem('invalid_request', detail);
}
