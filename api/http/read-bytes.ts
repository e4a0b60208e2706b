import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';

/**
 * Reads the bytes of a body. Throws if the body exceeds the limit or ends early. The rest of the body is then
 * read and discarded, so that the connection can carry the next request. The time limit of the request also
 * applies to the discarded rest.
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
