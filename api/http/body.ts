import type { Middleware } from 'koa';
import getRawBody from 'raw-body';
import { Problem } from '#lib/core/problem.ts';

const LIMIT_BYTES = 1024 * 1024;

/** Reads a JSON body into `ctx.state.body`; no body leaves it undefined. */
export const readBody: Middleware = async (ctx, next) => {
  const text = await read(ctx.req, ctx.request.length);
  if (text.length > 0) {
    if (!ctx.is('application/json') || ctx.get('content-encoding')) {
      throw new Problem('unsupported_media_type', 'Send the body as application/json, not encoded.');
    }
    try {
      ctx.state['body'] = JSON.parse(text);
    } catch (error) {
      throw new Problem('malformed_json', (error as Error).message);
    }
  }
  await next();
};

async function read(stream: NodeJS.ReadableStream, length: number | undefined): Promise<string> {
  try {
    return await getRawBody(stream, { limit: LIMIT_BYTES, length: length ?? null, encoding: 'utf-8' });
  } catch (error) {
    if ((error as { type?: string }).type === 'entity.too.large') {
      throw new Problem('body_too_large', `A body may have ${LIMIT_BYTES} bytes.`);
    }
    throw new Problem('malformed_json', 'The body ended early.', { cause: error });
  }
}
