import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { quantile } from 'simple-statistics';
import type { Attack, Flood, Order, Tally } from './attacker.ts';
import type { Tenancy } from './build.ts';
import { slowed } from './patience.ts';
import { finopsBody } from './workflow-tables.ts';

/** The origin of attacks: an address of this machine other than the bystander's. */
export const ATTACKER_ADDRESS = '127.0.0.2';

/**
 * The interval between two requests of a bystander, in milliseconds. A request is sent even if earlier
 * answers have not arrived.
 */
const PACE_MS = 50;
/** The minimum number of requests from which a percentile is computed. */
const REQUESTS_MIN = 60;
/**
 * A bystander always counts as undisturbed if the 95th percentile of its response times, in milliseconds, is
 * at most this value.
 */
const FLOOR_MS = slowed(150);
const RATIO_MAX = 2;
/**
 * The maximum number of comparisons. A single comparison can be wrong, because the machine may have other
 * load.
 */
const TRIES = 5;

/** The results with harmless requests. They are reused for several attacks on one service. */
const comparisons = new Map<string, Beside>();

/** The results of a bystander's requests. */
export type Seen = { requests: number; p95Ms: number; failures: string[] };

export type Scene = {
  /** The service under attack. */
  url: string;
  /** The application that sends ordinary requests during the attack. It has its own workspace. */
  bystander: Tenancy;
  attack: Attack;
  /**
   * The harmless requests for comparison: cheap requests, with the number and the concurrency of the attack's requests.
   */
  harmless: Attack;
};

/**
 * Returns harmless requests with which an attack is compared: reads of one application, with the number and the
 * concurrency of the attack's requests.
 */
export function harmlessFlood(key: string, { requests, atOnce }: Pick<Flood, 'requests' | 'atOnce'>): Flood {
  return { kind: 'flood', requests, atOnce, shots: [{ path: '/api/v2/workspace', headers: bearer(key) }] };
}

export function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}

/**
 * Attacks the service while a bystander sends ordinary requests to it. Fails if a request of the bystander
 * fails. Also fails if the p95 of the bystander is above a floor and more than twice its p95 while the
 * attacker sends harmless requests. Repeats the attack until the bystander has sent enough requests, and
 * returns the outcome of each repetition.
 */
export async function expectUndisturbed(scene: Scene): Promise<Tally[]> {
  const attacker = startAttacker(scene.url);
  try {
    await attacker.run(harmlessFlood(scene.bystander.key, { requests: 10, atOnce: 2 }));
    for (let left = TRIES - 1; ; left--) {
      const comparison = `${scene.url} ${JSON.stringify(scene.harmless)}`;
      const before = comparisons.get(comparison) ?? (await beside(attacker, scene, scene.harmless));
      const during = await beside(attacker, scene, scene.attack);
      const about = `p95 of the bystander: ${reported(before.seen)} beside harmless requests, ${reported(during.seen)} beside the attack`;
      expect(before.seen.failures, 'beside harmless requests').to.deep.equal([]);
      expect(during.seen.failures, about).to.deep.equal([]);
      const p95MsMax = Math.max(FLOOR_MS, RATIO_MAX * before.seen.p95Ms);
      if (left === 0) expect(during.seen.p95Ms, about).to.be.at.most(p95MsMax);
      if (during.seen.p95Ms > p95MsMax) {
        // The stored comparison may have been measured while the machine had less other load, so it is
        // measured again.
        comparisons.delete(comparison);
        continue;
      }
      comparisons.set(comparison, before);
      process.stdout.write(`      ${about}\n`);
      return during.tallies;
    }
  } finally {
    await attacker.end();
  }
}

export type Attacker = { run(attack: Attack): Promise<Tally>; end(): Promise<void> };

/** Starts a process that attacks a service, one attack after the other. */
export function startAttacker(url: string, from = ATTACKER_ADDRESS): Attacker {
  const child = fork(new URL('attacker.ts', import.meta.url), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`the attacker ended (${signal ?? code})`);
  });
  // Prevents an unhandled rejection. If an attack is in progress, `run` reports the exit.
  exited.catch(() => {});
  return {
    async run(attack) {
      const reported = once(child, 'message').then(([tally]) => tally as Tally);
      child.send({ attack, aim: { url, from } } satisfies Order);
      return Promise.race([reported, exited]);
    },
    async end() {
      if (child.connected) child.disconnect();
      await exited.catch(() => {});
    },
  };
}

type Beside = { seen: Seen; tallies: Tally[] };

async function beside(attacker: Attacker, { url, bystander }: Scene, attack: Attack): Promise<Beside> {
  const watch = startBystander(url, bystander);
  const tallies: Tally[] = [];
  try {
    do tallies.push(await attacker.run(attack));
    while (watch.requested() < REQUESTS_MIN);
  } finally {
    watch.stop();
  }
  return { seen: await watch.seen(), tallies };
}

type Asking = { method: string; path: string; body?: string };

/** Returns the reads and the small write of an ordinary client. */
const ordinary = (turn: number): Asking[] => [
  { method: 'GET', path: '/api/v2/workspace' },
  { method: 'GET', path: '/api/v2/quant/compute/jobs?limit=20' },
  { method: 'GET', path: '/healthz' },
  { method: 'GET', path: '/api/v2/events?limit=10' },
  {
    method: 'PUT',
    path: '/api/v2/workflow-studio/finops/policy',
    body: JSON.stringify({ ...finopsBody, monthly_budget_minor: 1_000 + turn }),
  },
];

export type Bystander = { requested(): number; stop(): void; seen(): Promise<Seen> };

/** Makes ordinary requests at a steady pace until it is stopped. */
export function startBystander(url: string, { key }: Tenancy): Bystander {
  const agent = new Agent({ keepAlive: true });
  const tookMs: number[] = [];
  const failures: string[] = [];
  const requested: Promise<void>[] = [];
  const ask = async (asking: Asking) => {
    const began = performance.now();
    const failure = await failureOf(agent, url, key, asking);
    tookMs.push(performance.now() - began);
    if (failure !== undefined) failures.push(`${asking.method} ${asking.path}: ${failure}`);
  };
  const timer = setInterval(() => {
    const askings = ordinary(requested.length);
    requested.push(ask(askings[requested.length % askings.length]!));
  }, PACE_MS);
  return {
    requested: () => requested.length,
    stop: () => clearInterval(timer),
    async seen() {
      await Promise.all(requested);
      agent.destroy();
      return { requests: tookMs.length, p95Ms: quantile(tookMs, 0.95), failures };
    },
  };
}

async function failureOf(
  agent: Agent,
  url: string,
  key: string,
  { method, path, body }: Asking,
): Promise<string | undefined> {
  try {
    const requested = request(url + path, {
      method,
      agent,
      headers: { ...bearer(key), ...(body !== undefined && { 'content-type': 'application/json' }) },
    });
    requested.end(body);
    const [answer] = (await once(requested, 'response')) as [IncomingMessage];
    const reported = await text(answer);
    return answer.statusCode! < 400 ? undefined : `${answer.statusCode} ${reported}`;
  } catch (error) {
    return String(error);
  }
}

const reported = ({ p95Ms, requests }: Seen) => `${p95Ms.toFixed(1)} ms (${requests} requests)`;
