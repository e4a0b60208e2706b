import type { Middleware } from 'koa';
import { Problem, type ProblemCode } from '#lib/core/problem.ts';

const PARSE_ERROR = -32_700;
const SERVER_ERROR = -32_000;

/**
 * The JSON-RPC codes for faults of the body. Faults of the credential are reported as RFC 9457 problems, as
 * at every other endpoint.
 */
const codes: Partial<Record<ProblemCode, number>> = {
  malformed_json: PARSE_ERROR,
  unsupported_media_type: SERVER_ERROR,
  body_too_large: SERVER_ERROR,
  not_acceptable: SERVER_ERROR,
};

/** Answers faults of the body as JSON-RPC errors, with the status of their problem. */
export const rpcErrors: Middleware = async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    const code = error instanceof Problem ? codes[error.code] : undefined;
    if (code === undefined) throw error;
    const { status, detail, code: word } = error as Problem;
    ctx.state['problemCode'] = word;
    ctx.status = status;
    ctx.body = { jsonrpc: '2.0', id: null, error: { code, message: detail } };
  }
};
