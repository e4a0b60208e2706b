import { createHmac, timingSafeEqual } from 'node:crypto';
import { Problem } from '#lib/core/problem.ts';
import { canonicalHash } from '#lib/core/seal.ts';

/**
 * Makes and reads the cursors of lists. The signature of a cursor covers its list and its filters. Each
 * tenant has its own secret, so a cursor is valid for one tenant only.
 */
export type Cursors = {
  write(list: string, filters: Record<string, unknown>, last: string): string;
  read(list: string, filters: Record<string, unknown>, cursor: string): string;
};

export function createCursors(secret: string): Cursors {
  const sign = (list: string, filters: Record<string, unknown>, last: string) =>
    createHmac('sha256', secret)
      .update(`${list}\n${canonicalHash(filters)}\n${last}`)
      .digest()
      .subarray(0, 12);
  return {
    write: (list, filters, last) =>
      Buffer.concat([sign(list, filters, last), Buffer.from(last)]).toString('base64url'),
    read(list, filters, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      const last = bytes.subarray(12).toString();
      const isCanonical = bytes.length > 12 && bytes.toString('base64url') === cursor;
      if (isCanonical && timingSafeEqual(bytes.subarray(0, 12), sign(list, filters, last))) return last;
      throw new Problem(
        'invalid_cursor',
        'The cursor was not issued for this list with these filters. Start again without a cursor.',
        {
          errors: [
            {
              pointer: '/cursor',
              in: 'query',
              code: 'invalid_cursor',
              message: 'was not issued for this list with these filters',
            },
          ],
        },
      );
    },
  };
}
