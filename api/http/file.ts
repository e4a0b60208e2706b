import type { Context } from 'koa';
import type { FileReply } from '#lib/core/operation.ts';
import { sha256 } from '#lib/core/seal.ts';
import { isHeld } from './etag.ts';

/** Answers with a file to download, or with 304 if the caller already has this file. */
export function answerFile(ctx: Context, { file, type, name }: FileReply): void {
  ctx.vary('Accept');
  if (isHeld(ctx, sha256(file))) return;
  ctx.status = 200;
  ctx.type = type;
  ctx.attachment(name, { type: 'attachment' });
  ctx.type = type; // `attachment` has set a type from the file extension; this line replaces it
  ctx.body = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
}
