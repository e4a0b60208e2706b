import Router from '@koa/router';
import type { Context } from 'koa';
import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { ConsoleSession } from '#lib/access/console/session.query.ts';
import { isUid } from '#lib/core/id.ts';
import { Problem } from '#lib/core/problem.ts';
import { Seats } from '#lib/limits/seats.ts';
import type { Notices } from '#lib/pipeline/notices.ts';
import { isTerminal } from '#lib/pipeline/run.ts';
import { statesOfOpenRuns } from '#lib/pipeline/open-runs.query.ts';
import { statesOfRuns, type RunStateRow } from '#lib/pipeline/run-states.query.ts';
import type { Querying } from '../govern.ts';
import { pill } from './format.ts';

/** The most runs that one stream follows, as many as a list shows. */
export const RUNS_MAX = 100;
/** The most streams of a process, and of one session. */
const STREAMS_MAX = 200;
const STREAMS_PER_SESSION = 4;
/** How often a stream reads the states without a notice, and the shortest time between two reads, in milliseconds. */
const READ_MS = 2_000;
const PAUSE_MS = 1_000;
/** The reads of one stream. Afterwards the stream ends, and the browser opens a new one with the session of then. */
const READS_MAX = 30;

/** The means to follow runs. */
export type LiveOptions = {
  sessionOf(ctx: Context): Promise<{ session: ConsoleSession; secret: string } | undefined>;
  askOf(ctx: Context, session: ConsoleSession): Querying;
  countRequest(ctx: Context, session: ConsoleSession): Promise<void>;
  /** Receives a notice when a run ends. */
  endings: Pick<Notices, 'once'>;
  /** Aborted when the process drains. */
  draining: AbortSignal;
};

/**
 * Creates the stream of server-sent events with which open pages follow runs. An event has the uid, state and progress
 * of a run that has changed. The event `ended` says that no followed run can change any more. With `open=1`, the stream
 * follows the open runs of the workspace instead of named runs, and the event `list` has their uids.
 */
export function liveRoutes({ sessionOf, askOf, countRequest, endings, draining }: LiveOptions): Router {
  const router = new Router();
  const seats = new Seats(STREAMS_MAX);

  router.get('/console/live', async (ctx) => {
    ctx.state['operation'] = 'console /console/live';
    const known = await sessionOf(ctx);
    if (!known) throw new Problem('credential_required', 'Sign in to follow runs.');
    await countRequest(ctx, known.session);
    const uids = String(ctx.query['runs'] ?? '')
      .split(',')
      .filter((uid) => isUid(uid))
      .slice(0, RUNS_MAX);
    const isOpenList = ctx.query['open'] === '1';
    if (uids.length === 0 && !isOpenList) throw new Problem('validation_failed', 'Name the runs to follow.');
    const seat = seats.take(known.secret, STREAMS_PER_SESSION);
    if (!('giveBack' in seat))
      throw new Problem('too_many_waiting', `${seat.bound} streams are open already, which is the limit.`);
    const stream = new PassThrough();
    ctx.type = 'text/event-stream';
    ctx.body = stream;
    const signal = AbortSignal.any([ctx.state['signal'] as AbortSignal, draining]);
    const ask = askOf(ctx, known.session);
    const read = () => (isOpenList ? ask(statesOfOpenRuns, RUNS_MAX) : ask(statesOfRuns, uids));
    void follow({ stream, isOpenList, read, endings, signal }).finally(() => {
      stream.end();
      seat.giveBack();
    });
  });

  return router;
}

type Following = Pick<LiveOptions, 'endings'> & {
  stream: PassThrough;
  /** Whether the followed runs are all open runs of the workspace. */
  isOpenList: boolean;
  read(): Promise<RunStateRow[]>;
  signal: AbortSignal;
};

/** Writes an event for each change until all runs have ended, the stream has lasted long enough, or a read fails. */
async function follow({ stream, isOpenList, read, endings, signal }: Following): Promise<void> {
  const sent = new Map<string, string>();
  let listed: string | undefined;
  for (let count = 0; count < READS_MAX && !signal.aborted; count++) {
    const rows = await read().catch(() => undefined);
    if (!rows) return;
    const uids = rows.map(({ uid }) => uid);
    if (isOpenList && listed !== uids.join()) {
      listed = uids.join();
      stream.write(`event: list\ndata: ${JSON.stringify(uids)}\n\n`);
    }
    for (const row of rows) {
      const event = eventOf(row);
      if (sent.get(row.uid) === event) continue;
      sent.set(row.uid, event);
      stream.write(event);
    }
    if (!isOpenList && rows.every(({ state }) => isTerminal(state))) {
      stream.write('event: ended\ndata: {}\n\n');
      return;
    }
    await nextRead(uids, endings, signal);
  }
}

/** Waits for the notice that a run has ended, at most `READ_MS`, and at least `PAUSE_MS`. */
async function nextRead(
  uids: readonly string[],
  endings: Following['endings'],
  signal: AbortSignal,
): Promise<void> {
  const heard = new AbortController();
  const forget = uids.map((uid) => endings.once(uid, () => heard.abort()));
  await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  const woken = AbortSignal.any([signal, heard.signal]);
  await delay(READ_MS - PAUSE_MS, undefined, { signal: woken }).catch(() => undefined);
  for (const each of forget) each();
}

/** Returns the event of a run: its state as the page writes it, with its tone, and its progress in per cent. */
export function eventOf({ uid, state, progress }: RunStateRow): string {
  const [, tone = ''] = /class="pill ([a-z]*)"/.exec(pill(state).markup) ?? [];
  const shown = { uid, state, tone, percent: Math.round(progress * 100), isOver: isTerminal(state) };
  return `data: ${JSON.stringify(shown)}\n\n`;
}
