/** The status of an answer whose `Location` is the address of the same request in another cell. */
const MISDIRECTED = 421;

/**
 * Wraps a sender so that it follows a workspace to another cell: a request that is answered with 421 and a `Location` is
 * sent once more, to that address, and all later requests go there first. The new address must use HTTPS if the old one
 * does, so that the credential stays encrypted. A second 421 is returned to the caller.
 */
export function followMoves(
  send: (request: Request) => Promise<Response>,
): (request: Request) => Promise<Response> {
  let moved: { from: string; to: string } | undefined;
  return async (request) => {
    const asked = moved && new URL(request.url).origin === moved.from ? await at(moved.to, request) : request;
    // A body can be read only once, so each attempt sends a copy.
    const answer = await send(asked.clone());
    const target = answer.status === MISDIRECTED ? targetOf(answer, asked.url) : undefined;
    if (target === undefined) return answer;
    await answer.body?.cancel();
    moved = { from: new URL(request.url).origin, to: target };
    return send(await at(target, asked));
  };
}

/** Returns the origin that an answer names; undefined if it names none, or one without the encryption of the old one. */
function targetOf({ headers }: Response, url: string): string | undefined {
  const location = headers.get('location');
  if (location === null || !URL.canParse(location)) return undefined;
  const [{ protocol, origin }, old] = [new URL(location), new URL(url)];
  if (origin === old.origin || !['https:', 'http:'].includes(protocol)) return undefined;
  return old.protocol === 'https:' && protocol !== 'https:' ? undefined : origin;
}

/** Returns the same request to another origin. */
async function at(origin: string, request: Request): Promise<Request> {
  const { pathname, search } = new URL(request.url);
  const { method, headers, signal } = request;
  const body = method === 'GET' || method === 'HEAD' ? undefined : await request.clone().arrayBuffer();
  return new Request(`${origin}${pathname}${search}`, {
    method,
    headers,
    signal,
    ...(body !== undefined && body.byteLength > 0 && { body }),
  });
}
