import type { Middleware } from 'koa';
import { Problem } from '#lib/core/problem.ts';

/** The maximum number of characters of each header that Assay or one of its libraries reads. */
const SIZES: Readonly<Record<string, number>> = {
  accept: 2_048,
  'accept-encoding': 512,
  'access-control-request-headers': 2_048,
  'access-control-request-method': 32,
  authorization: 4_096,
  'content-encoding': 256,
  'content-type': 512,
  host: 512,
  'idempotency-key': 512,
  'if-match': 4_096,
  'if-none-match': 4_096,
  'mcp-method': 256,
  'mcp-name': 512,
  'mcp-protocol-version': 256,
  'mcp-session-id': 512,
  origin: 512,
  prefer: 1_024,
  traceparent: 512,
  tracestate: 2_048,
  'x-forwarded-for': 4_096,
  'x-forwarded-host': 512,
  'x-forwarded-proto': 256,
};

/** Refuses a header that is longer than its maximum in `SIZES`, before the header is parsed. */
export const headerSizes: Middleware = (ctx, next) => {
  for (const [name, max] of Object.entries(SIZES)) {
    const length = ctx.headers[name]?.length ?? 0;
    if (length <= max) continue;
    throw new Problem(
      'malformed_header',
      `The header ${name} has ${length} characters; the maximum is ${max}.`,
    );
  }
  return next();
};
