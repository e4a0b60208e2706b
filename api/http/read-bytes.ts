import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';

/**
 * The bytes of a body. Throws on one above the limit and on one that ends early. What follows is then read and dropped, so
 * that the connection can carry the next request; the time limit of a request bounds that.
 */
export async function readBytes(
  request: IncomingMessage,
  { limit, length }: { limit: number; length: number | undefined },
): Promise<Buffer> {
  try {
    return await getRawBody(request, { limit, length: length ?? null });
  } catch (error) {
    request.resume();
    throw error;
  }
}
