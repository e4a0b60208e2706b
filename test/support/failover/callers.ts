import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isTransient } from '#lib/database/transient.ts';
import type { Backend } from '../backends.ts';
import { clientOf, type Answer } from '../client.ts';
import { importCsv } from '../import.ts';
import { OBLIGATIONS, sourceOf } from '../obligation.ts';
import { finish, spend } from '../spend.ts';

const FACTORS = '/investment/theme-watch/factors';
const JOBS = '/quant/compute/jobs';
const PAUSE_MS = 150;
const AGAIN_MS = 250;

/** The records that callers use. */
export type Ground = {
  workspace: string;
  key: string;
  /** The workspace that imports write to. The runs do not read its data. */
  importing: string;
  /** A counterparty of the workspace. */
  counterparty: number;
  /** An active delegation. Each reservation under it has the amount 1. */
  delegation: string;
};

/** The effects that callers know to be done, because they got an answer that says so. */
export type Acknowledged = {
  runs: string[];
  obligations: string[];
  /** The references of settled reservations. */
  settlements: string[];
  imports: string[];
};

/** How requests over HTTP were answered. */
export type Answers = {
  done: number;
  /** Answers 503 with `Retry-After`. */
  unavailable: number;
  /** Answers 4xx after which the caller repeats the request. */
  refused: number;
  slowestMs: number;
  /** Everything after which a caller gives up: another 5xx, a 503 without `Retry-After`, no answer, or a record that was not found. */
  faults: string[];
};

export type Callers = {
  ground: Ground;
  acts: Acts;
  acknowledged: Acknowledged;
  answers: Answers;
  /** Lets every caller finish what it has begun. */
  stop(): Promise<void>;
  /** Lets every caller give up what is not done. */
  abandon(): void;
};

/**
 * Starts callers that act until they are stopped: one submits runs and reads each one back, one lists and reads runs,
 * one registers obligations, one reserves and settles amounts, and one imports files. Each repeats what failed, with
 * the same key, until it is done.
 */
export function startCallers(live: Backend, ground: Ground): Callers {
  const acknowledged: Acknowledged = { runs: [], obligations: [], settlements: [], imports: [] };
  const answers: Answers = { done: 0, unavailable: 0, refused: 0, slowestMs: 0, faults: [] };
  const state = { isStopped: false, isAbandoned: false };
  const acts = actsOf(live, ground, answers, state);
  const loop = async (act: () => Promise<void>) => {
    try {
      while (!state.isStopped) {
        await act();
        await delay(PAUSE_MS);
      }
    } catch (error) {
      answers.faults.push((error as Error).message);
    }
  };
  const loops = [
    loop(async () => void acknowledged.runs.push(await acts.submit())),
    loop(async () => {
      const known = acknowledged.runs;
      if (known.length > 0) await acts.read(known[Math.trunc((answers.done * 7_919) % known.length)]!);
    }),
    loop(async () => void acknowledged.obligations.push(await acts.register())),
    loop(async () => void acknowledged.settlements.push(await acts.settle())),
    loop(async () => void acknowledged.imports.push(await acts.import())),
  ];
  return {
    ground,
    acts,
    acknowledged,
    answers,
    async stop() {
      state.isStopped = true;
      await Promise.all(loops);
    },
    abandon() {
      Object.assign(state, { isStopped: true, isAbandoned: true });
    },
  };
}

type Acts = ReturnType<typeof actsOf>;
type State = { isStopped: boolean; isAbandoned: boolean };

/** Returns the acts of callers. Each repeats its requests until they are done, and notes how they were answered. */
function actsOf(
  live: Backend,
  { key, importing, counterparty, delegation }: Ground,
  answers: Answers,
  state: State,
) {
  const client = clientOf(live, key);
  const given = { answers, state };
  const orm = live.orm('operator');
  const post = (path: string, body: unknown, prefer = 'respond-async') => {
    const headers = { prefer, 'idempotency-key': randomUUID() };
    return untilDone(() => client.post(path, body, headers), given);
  };
  const read = (uid: string) => untilDone(() => client.get(`${JOBS}/${uid}`), given);
  return {
    read,
    /** Submits a run and reads it back. */
    async submit(): Promise<string> {
      const { body } = await post(FACTORS, {});
      await read(body.uid);
      return body.uid;
    },
    /** Submits a run and waits until it is sealed. */
    async seal(): Promise<string> {
      const { body, status } = await post(FACTORS, {}, 'wait=10');
      if (status === 201) return body.uid;
      for (;;) {
        const { state: reached } = (await untilDone(() => client.get(`${JOBS}/${body.uid}?wait=5`), given))
          .body;
        if (reached === 'succeeded') return body.uid;
        if (reached !== 'queued' && reached !== 'running') throw new Error(`the run is ${reached}`);
      }
    },
    async register(): Promise<string> {
      return (await post(OBLIGATIONS, sourceOf(counterparty))).body.uid;
    },
    /** Reserves an amount and settles it. Returns the reference of the reservation. */
    async settle(): Promise<string> {
      const reference = randomUUID();
      const made = await untilCommitted(state, () => spend(orm, delegation, { amount: 1, reference }));
      if (!made.ok) throw new Error(`the amount was not reserved: ${made.code}`);
      const ended = await untilCommitted(state, () =>
        finish(orm, made.reservation!.uid, { event: 'settle', actual: 1n }),
      );
      if (!ended.ok && ended.code !== 'reservation_ended') throw new Error(`not settled: ${ended.code}`);
      return reference;
    },
    async import(): Promise<string> {
      const dataset = `prices-${randomUUID()}`;
      const lines = ['symbol,date,close', 'A,2021-01-29,1.5', 'B,2021-01-29,2.5'];
      const { importUid } = await untilCommitted(state, () =>
        importCsv(live, importing, 'prices', lines, { dataset }),
      );
      return importUid;
    },
  };
}

/** Sends a request until it is done. Throws if it is answered in a way that a failover does not explain. */
async function untilDone(
  send: () => Promise<Answer>,
  { answers, state }: { answers: Answers; state: State },
): Promise<Answer> {
  for (;;) {
    const started = performance.now();
    const answer = await send();
    answers.slowestMs = Math.max(answers.slowestMs, performance.now() - started);
    const { status, headers, body } = answer;
    if (status === 503 && headers.has('retry-after')) answers.unavailable += 1;
    else if (status === 429 || body?.code === 'idempotency_in_progress') answers.refused += 1;
    else if (status < 300) {
      answers.done += 1;
      return answer;
    } else throw new Error(`${status} ${JSON.stringify(body)}`);
    await again(state);
  }
}

/** Repeats a transaction of an operator's process until it is committed. Only transient errors are expected. */
async function untilCommitted<T>(state: State, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error)) throw error;
      await again(state);
    }
  }
}

async function again({ isAbandoned }: State): Promise<void> {
  if (isAbandoned) throw new Error('the caller gives up, because the test has ended');
  await delay(AGAIN_MS);
}
