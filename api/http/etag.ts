import type { Context } from 'koa';
import { Problem } from '#lib/core/problem.ts';
import { sha256 } from '#lib/core/seal.ts';
import { headerList } from './header-list.ts';
import { jsonText } from './json-text.ts';

/** Makes a strong validator from a text: equal bytes have equal validators. */
export function etagOf(text: string): string {
  return etagOfHash(sha256(text));
}

function etagOfHash(hash: string): string {
  return `"${hash.slice(0, 32)}"`;
}

/** A text that never changes, with its response headers. */
export type Fixed = { content: string | Buffer; type: string; etag: string };

export function fixed(content: string | Buffer, type: string): Fixed {
  return { content, type, etag: etagOfHash(sha256(content)) };
}

/** Answers with a text that never changes, or with 304 if the caller already has this text. */
export function answerFixed(ctx: Context, { content, type, etag }: Fixed): void {
  if (holds(ctx, etag)) return;
  ctx.type = type;
  ctx.body = content;
}

const constants = new WeakMap<object, Fixed>();

/**
 * Registers a body that many answers share. The body is serialised once and must not be changed afterwards.
 */
export function constantBody<Body extends object>(body: Body): Body {
  constants.set(body, fixed(JSON.stringify(body), 'application/json'));
  return body;
}

/**
 * Answers with a representation, or with 304 if the caller already has this representation (RFC 9110, section
 * 13.1.2).
 */
export function answerFresh(ctx: Context, text: string): void {
  answerFixed(ctx, fixed(text, 'application/json'));
}

/**
 * Answers with a body as JSON, or with 304 if the caller already has this body. `validator` is a SHA-256 of
 * everything that determines the body. Default: the hash of the body.
 */
export async function answerJson(ctx: Context, body: unknown, validator?: string): Promise<void> {
  const constant = typeof body === 'object' && body !== null ? constants.get(body) : undefined;
  if (constant) return answerFixed(ctx, constant);
  const { content, hash } = await jsonText(body);
  answerFixed(ctx, { content, type: 'application/json', etag: etagOfHash(validator ?? hash()) });
}

/**
 * Sets the validator that is made from `text`: the representation itself, or everything that determines the
 * representation. If the caller already has this representation, answers 304 and returns true.
 */
export function isHeld(ctx: Context, text: string): boolean {
  return holds(ctx, etagOf(text));
}

/**
 * Answers 304 without a body. `validator` is the SHA-256 of the representation that the caller already has.
 */
export function answerUnchanged(ctx: Context, validator: string): void {
  ctx.set('ETag', etagOfHash(validator));
  ctx.status = 304;
  ctx.body = null;
}

/** Returns the validators in `If-None-Match` without quotes. Each is the beginning of a SHA-256. */
export function heldValidators(ctx: Context): string[] {
  return heldTags(ctx).flatMap((tag) => /^"([0-9a-f]{32})"$/.exec(tag)?.[1] ?? []);
}

function heldTags(ctx: Context): string[] {
  return headerList(ctx.get('if-none-match'), ',').map((each) => each.replace(/^W\//, ''));
}

function holds(ctx: Context, etag: string): boolean {
  ctx.set('ETag', etag);
  const held = heldTags(ctx);
  if (!held.includes(etag) && held[0] !== '*') return false;
  ctx.status = 304;
  ctx.body = null;
  return true;
}

/** Refuses a change that is not based on the current representation (RFC 9110, section 13.1.1). */
export function requireMatch(header: string, current: unknown): void {
  if (header === '' || header.trim() === '*') return;
  if (headerList(header, ',').includes(etagOf(JSON.stringify(current)))) return;
  throw new Problem('precondition_failed', 'The resource has changed since it was read; read it again.');
}
