import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook as Verifier } from 'standardwebhooks';
import { networksOf } from '#lib/core/network-address.ts';

/** The IP address at which the tests receive messages. */
export const LOOPBACK = '127.0.0.0/8';
export const loopback = networksOf(LOOPBACK);

export type Received = { headers: IncomingHttpHeaders; body: string };
type Answer = { status: number; headers?: Record<string, string>; body?: string };

/** A server that receives messages. `answer` returns the server's answer, and may delay it. */
export type Receiver = {
  url: string;
  received: Received[];
  answer: (message: Received) => Answer | Promise<Answer>;
  close(): Promise<void>;
};

export async function openReceiver(): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const message = { headers: request.headers, body: await text(request).catch(() => '') };
    receiver.received.push(message);
    const { status, headers = {}, body = '' } = await receiver.answer(message);
    response.writeHead(status, headers).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    answer: () => ({ status: 204 }),
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return receiver;
}

/** Returns the message if it was signed with the secret; throws otherwise. */
export function verified({ headers, body }: Received, secret: string): any {
  return new Verifier(secret).verify(body, headers as Record<string, string>);
}
