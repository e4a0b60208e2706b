import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A request as the attacker sends it. */
export type Shot = {
  method?: string;
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
};

/**
 * An attack that sends the requests in `shots` one after another, with a given concurrency. The attacker
 * reads the answers, or disconnects after a delay that differs each time.
 */
export type Flood = {
  kind: 'flood';
  shots: readonly Shot[];
  requests: number;
  atOnce: number;
  hangsUp?: true;
};

/**
 * The ways of holding a connection open: send the head or the body of its request byte by byte, read no
 * answer, or send nothing more.
 */
export const manners = ['slow head', 'slow body', 'deaf', 'idle'] as const;
export type Manner = (typeof manners)[number];

/** An attack that holds connections open until the server has closed all of them, or until the time limit. */
export type Siege = {
  kind: 'siege';
  manner: Manner;
  shot: Shot;
  connections: number;
  /** Number of connections opened at once. */
  atOnce: number;
  holdMs: number;
};

export type Attack = Flood | Siege;

/** The outcome of the requests or connections of one attack. */
export type Tally = {
  /** The number of complete answers, by status. */
  answers: Record<string, number>;
  /** The number of problem answers, by code. */
  codes: Record<string, number>;
  /** The number of connections that the server closed without an answer, or in the middle of an answer. */
  cut: number;
  /** The number of connections that the server had not closed at the time limit. */
  held: number;
  bytes: number;
};

/** The URL that an attack targets, and the local address that the attack is sent from. */
export type Aim = { url: string; from: string };

export type Order = { attack: Attack; aim: Aim };

/** The interval between two bytes of a head or a body on each connection, in milliseconds. */
const BYTE_MS = 1_000;
/** The maximum delay after which a client disconnects, in milliseconds. */
const HANG_UP_MS = 20;

// The entry of the attacker's process. It performs one attack for each message of its parent.
if (import.meta.main) {
  process.on('message', ({ attack, aim }: Order) => {
    void (attack.kind === 'flood' ? flood(attack, aim) : besiege(attack, aim)).then((tally) =>
      process.send!(tally),
    );
  });
  process.on('disconnect', () => process.exit());
}

const empty = (): Tally => ({ answers: {}, codes: {}, cut: 0, held: 0, bytes: 0 });

async function flood({ shots, requests, atOnce, hangsUp }: Flood, aim: Aim): Promise<Tally> {
  const tally = empty();
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce, localAddress: aim.from });
  let sent = 0;
  const clients = Array.from({ length: atOnce }, async () => {
    while (sent < requests) {
      const shot = shots[sent % shots.length]!;
      const turn = sent++;
      await (hangsUp ? leave(shot, aim, turn) : ask(shot, aim, agent, tally)).catch(() => tally.cut++);
    }
  });
  await Promise.all(clients);
  agent.destroy();
  return tally;
}

async function ask({ method = 'GET', path, headers, body }: Shot, { url }: Aim, agent: Agent, tally: Tally) {
  const sent = request(url + path, {
    method,
    agent,
    headers: { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
  });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const isProblem = answer.headers['content-type']?.startsWith('application/problem+json');
  const parts: Buffer[] = [];
  for await (const part of answer) {
    tally.bytes += part.length;
    if (isProblem) parts.push(part);
  }
  count(tally.answers, String(answer.statusCode));
  if (isProblem) count(tally.codes, JSON.parse(Buffer.concat(parts).toString()).code);
}

/**
 * Sends a request, or its beginning, and closes the connection. Every second connection is closed with a
 * reset.
 */
async function leave(shot: Shot, aim: Aim, turn: number): Promise<void> {
  const socket = open(aim);
  await once(socket, 'connect');
  const text = textOf(shot);
  await new Promise((written) => socket.write(turn % 5 === 4 ? text.slice(0, -3) : text, written));
  if (turn % 3 > 0) await delay((turn * 7) % HANG_UP_MS);
  const closed = once(socket, 'close');
  if (turn % 2) socket.resetAndDestroy();
  else socket.destroy();
  await closed;
}

async function besiege({ manner, shot, connections, atOnce, holdMs }: Siege, aim: Aim): Promise<Tally> {
  const tally = empty();
  const sockets = new Set<Socket>();
  const ended: Promise<void>[] = [];
  const hold = async () => {
    const socket = open(aim);
    sockets.add(socket);
    let begun = '';
    socket.on('close', () => {
      sockets.delete(socket);
      const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(begun) ?? [];
      if (status === undefined) tally.cut += 1;
      else count(tally.answers, status);
    });
    ended.push(new Promise((closed) => socket.once('close', () => closed())));
    await soon(socket, 'connect');
    misuse(socket, manner, shot);
    if (manner === 'deaf') return soon(socket, 'readable');
    socket.on('data', (bytes: Buffer) => {
      begun ||= bytes.toString('latin1', 0, 20);
      tally.bytes += bytes.length;
    });
    if (manner === 'idle') await soon(socket, 'data');
  };
  let opened = 0;
  const openers = Array.from({ length: atOnce }, async () => {
    while (opened++ < connections) await hold();
  });
  await Promise.all(openers);
  const over = new AbortController();
  const time = delay(holdMs, undefined, { signal: over.signal }).catch(() => {});
  await Promise.race([Promise.all(ended), time]);
  over.abort();
  tally.held = await stillHeld(sockets, manner);
  const reported = structuredClone(tally);
  for (const socket of sockets) socket.destroy();
  await Promise.all(ended);
  return reported;
}

/** Resolves on the event, or when the connection closes before the event. */
function soon(socket: Socket, event: 'connect' | 'data' | 'readable'): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) return resolve();
    const done = () => {
      socket.off(event, done).off('close', done);
      resolve();
    };
    socket.once(event, done).once('close', done);
  });
}

/**
 * Counts the connections that the server has not closed. A client that does not read cannot notice a close,
 * so this function reads the rest of each answer.
 */
async function stillHeld(sockets: Set<Socket>, manner: Manner): Promise<number> {
  if (manner === 'deaf') {
    for (const socket of sockets) socket.resume();
    await delay(1_000);
  }
  return sockets.size;
}

function misuse(socket: Socket, manner: Manner, shot: Shot): void {
  const text = textOf(shot);
  if (manner === 'deaf' || manner === 'idle') return void socket.write(text);
  const bodyAt = text.indexOf('\r\n\r\n') + 4;
  let at = manner === 'slow head' ? 1 : bodyAt;
  socket.write(text.slice(0, at));
  const timer = setInterval(() => {
    if (at < text.length) socket.write(text[at++]!);
  }, BYTE_MS);
  socket.once('close', () => clearInterval(timer));
}

function open({ url, from }: Aim): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), localAddress: from });
  socket.on('error', () => {}); // `close` follows the error
  return socket;
}

function textOf({ method = 'GET', path, headers, body = '' }: Shot): string {
  const given = { host: 'attack.example', ...headers, 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries(given).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

function count(counts: Record<string, number>, what: string): void {
  counts[what] = (counts[what] ?? 0) + 1;
}
