import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';

/**
 * Reads the bytes of a body. Throws if it is above the limit or ends early. The rest is then read and
 * dropped, so that the connection can carry the next request; the request time limit bounds that.
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
