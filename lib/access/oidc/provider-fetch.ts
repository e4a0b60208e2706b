import { request } from 'undici';
import { networksOf } from '#lib/core/network-address.ts';
import { openPublicAgent, urlFault, type Resolve } from '#lib/core/public-agent.ts';

/** The largest answer of an identity provider that is read, in bytes. */
export const ANSWER_BYTES_MAX = 262_144;

/** A request to the identity provider, as `openid-client` makes it. */
export type ProviderRequest = {
  method: string;
  headers: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal | undefined;
};

export type ProviderFetch = {
  fetch(url: string, options: ProviderRequest): Promise<Response>;
  close(): Promise<void>;
};

/**
 * Creates the function that sends requests to the identity provider. It connects only to public addresses and to
 * `networks`, follows no redirects, and refuses answers of more than `ANSWER_BYTES_MAX` bytes.
 */
export function openProviderFetch({
  networks,
  timeoutMs,
  resolve,
}: {
  /** Networks that are not public, but may be reached, in CIDR notation. */
  networks: string;
  timeoutMs: number;
  resolve?: Resolve | undefined;
}): ProviderFetch {
  const letIn = networksOf(networks);
  const agent = openPublicAgent(letIn, { timeoutMs, ...(resolve && { resolve }) });
  return {
    async fetch(url, { method, headers, body, signal }) {
      const fault = urlFault(url, letIn);
      if (fault) throw new Error(`the address ${url} of the identity provider is refused: ${fault}`);
      const answer = await request(url, {
        method: method as 'GET',
        headers,
        // The client sends forms and no other bodies.
        body: body === undefined || body === null ? null : String(body),
        dispatcher: agent,
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
      });
      const bytes = await bytesOf(answer.body);
      const kept = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
        typeof value === 'string' ? [[name, value]] : [],
      );
      return new Response(hasBody(answer.statusCode) ? bytes : null, {
        status: answer.statusCode,
        headers: kept,
      });
    },
    close: () => agent.destroy(),
  };
}

/** Whether a `Response` with this status may have a body. */
function hasBody(status: number): boolean {
  return status !== 204 && status !== 205 && status !== 304;
}

async function bytesOf(body: AsyncIterable<Buffer>): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > ANSWER_BYTES_MAX)
      throw new Error(`the answer of the identity provider has more than ${ANSWER_BYTES_MAX} bytes`);
    parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts));
}
