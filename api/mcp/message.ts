import { CLIENT_INFO_META_KEY, PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import type { Context } from 'koa';
import { withoutTokens } from '#lib/core/token.ts';

/**
 * The request's own metadata. Since revision 2026-07-28 it is in the body. In earlier revisions it is in a
 * header or absent.
 */
export type Message = {
  protocolVersion: string | null;
  client: { name: string | null; version: string | null };
  traceId: string | null;
};

const LONGEST = 100;

export function messageOf(ctx: Context, body: unknown): Message {
  const meta = memberOf(memberOf(body, 'params'), '_meta');
  const client = memberOf(meta, CLIENT_INFO_META_KEY);
  const trace = memberOf(meta, 'traceparent') ?? ctx.get('traceparent');
  return {
    protocolVersion: line(memberOf(meta, PROTOCOL_VERSION_META_KEY) ?? ctx.get('mcp-protocol-version')),
    client: { name: line(memberOf(client, 'name')), version: line(memberOf(client, 'version')) },
    traceId: /^[0-9a-f]{2}-([0-9a-f]{32})-/.exec(String(trace))?.[1] ?? null,
  };
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/**
 * Returns a truncated text that the database can store. Truncation can split a surrogate pair, and the
 * database rejects half of a pair.
 */
function line(text: unknown): string | null {
  return typeof text === 'string' && text !== ''
    ? withoutTokens(text).slice(0, LONGEST).toWellFormed()
    : null;
}
