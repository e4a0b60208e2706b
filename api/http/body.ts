import type { IncomingMessage } from 'node:http';
import { setImmediate as breathe } from 'node:timers/promises';
import type { Context, Middleware } from 'koa';
import { Problem } from '#lib/core/problem.ts';
import { parseJson } from './json.ts';
import { readBytes } from './read-bytes.ts';

const LIMIT_BYTES = 1024 * 1024;
const LARGE_BYTES = 64 * 1024;

/** Reads a JSON body into `ctx.state.body`. Leaves it undefined if the request has no body. */
export const readBody: Middleware = async (ctx, next) => {
  const bytes = await read(ctx.req, ctx.request.length);
  if (bytes.length > 0) {
    const charset = ctx.request.charset.toLowerCase();
    if (
      !ctx.is('application/json') ||
      ctx.get('content-encoding') ||
      !['', 'utf-8', 'utf8'].includes(charset)
    ) {
      throw new Problem(
        'unsupported_media_type',
        'Send the body as application/json in UTF-8, without a content encoding.',
      );
    }
    ctx.state['body'] = parseJson(bytes);
    ctx.state['bodyText'] = bytes;
    await yieldForBody(ctx);
  }
  await next();
};

/**
 * Lets other requests proceed between two steps of processing a large body. Each step takes about ten
 * milliseconds.
 */
export async function yieldForBody(ctx: Context): Promise<void> {
  const bytes = ctx.state['bodyText'] as Uint8Array | undefined;
  if (bytes && bytes.length > LARGE_BYTES) await breathe();
}

async function read(request: IncomingMessage, length: number | undefined): Promise<Buffer> {
  try {
    return await readBytes(request, { limit: LIMIT_BYTES, length });
  } catch (error) {
    if ((error as { type?: string }).type === 'entity.too.large') {
      throw new Problem('body_too_large', `A body may have at most ${LIMIT_BYTES} bytes.`, { cause: error });
    }
    throw new Problem('malformed_json', 'The connection ended before the body was complete.', {
      cause: error,
    });
  }
}
