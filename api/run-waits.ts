import { batchWrites } from '#lib/core/batch-writes.ts';
import { isUid } from '#lib/core/id.ts';
import type { Caller, Preferences } from '#lib/core/operation.ts';
import { Problem } from '#lib/core/problem.ts';
import { Watches, type Subject } from '#lib/core/watches.ts';
import { serviceClassLimits, type Orm, type Tenant } from '#lib/database/base.ts';
import { inOneStatement } from '#lib/database/orm.ts';
import { Seats } from '#lib/limits/seats.ts';
import type { Notices } from '#lib/pipeline/notices.ts';
import { openRuns } from '#lib/pipeline/run-record.query.ts';
import { tenantOf } from './tenant.ts';

/** The maximum number of requests that a process keeps waiting, over all applications. */
const WAITS_MAX = 1_000;
/**
 * The intervals, in milliseconds, of the checks whether a run has ended: without announcements of the ends of runs, and
 * with announcements, which can be lost.
 */
const POLL_MS = 500;
const POLL_HEARD_MS = 2_000;
const LOOKED_AT_MAX = 500;

/** A listener for the end of a run. It was registered before the run was dispatched. */
export type Heard = { hasEnded(): boolean; forget(): void };

/** The request that waits: its caller, and the signal that ends the wait. */
export type WaitingCall = { caller: Caller; signal: AbortSignal };

export type WaitsOptions = {
  orm: Orm;
  endings: Notices;
  /** The default wait limit, in milliseconds. */
  waitMs: number;
  draining: AbortSignal;
};

/**
 * Waits for runs to end. One query checks a run for all requests that wait for it, and reads only the state of the run.
 * If the maximum number of waiting requests is reached, for the application or for all applications, a further one is
 * refused with `too_many_waiting`.
 */
export function createWaits({ orm, endings, waitMs, draining }: WaitsOptions) {
  const watches = new Watches(draining);
  const seats = new Seats(WAITS_MAX);
  const lookAt = batchWrites<Look>({
    max: LOOKED_AT_MAX,
    keyOf: ({ tenant: { workspace, environment } }) => `${workspace} ${environment}`,
    write: (looks) => lookTogether(orm, looks),
  });

  /**
   * Starts to listen for the end of a run that was not dispatched yet. A wait that gets the result needs no first check
   * of the run. Returns undefined if ends are not announced now.
   */
  function listenFor(uid: string): Heard | undefined {
    if (!endings.isListening) return undefined;
    let hasEnded = false;
    return { hasEnded: () => hasEnded, forget: endings.once(uid, () => (hasEnded = true)) };
  }

  /** Waits until a run has ended, at most `limitMs`. */
  async function ended(call: WaitingCall, uid: string, limitMs: number, heard?: Heard): Promise<void> {
    if (!isUid(uid)) return;
    await watches.end(watchedRun(tenantOf(call.caller), uid, heard), patienceOf(call, limitMs));
  }

  /** Works like `ended`, but returns at once if too many requests are waiting. */
  async function endedIfSeated(
    call: WaitingCall,
    uid: string,
    limitMs: number,
    heard?: Heard,
  ): Promise<void> {
    await ended(call, uid, limitMs, heard).catch(refuseNobody);
  }

  function patienceOf(call: WaitingCall, limitMs: number) {
    return { limitMs, signal: call.signal, takeSeat: () => seatFor(call.caller) };
  }

  function seatFor({ application, serviceClass }: Caller): () => void {
    const seat = seats.take(application, serviceClassLimits[serviceClass].waits);
    if ('giveBack' in seat) return seat.giveBack;
    const whose = seat.of === 'application' ? 'of the application' : 'of all applications';
    throw new Problem(
      'too_many_waiting',
      `${seat.bound} requests ${whose} are already waiting, which is the maximum. Read without \`wait\`, or retry later.`,
      { headers: { 'Retry-After': '2' }, members: { bound: `waits_of_${seat.of}`, limit: seat.bound } },
    );
  }

  function watchedRun(tenant: Tenant, uid: string, heard?: Heard): Subject {
    let isFirst = true;
    return {
      key: `${tenant.workspace} ${tenant.environment} ${uid}`,
      async isOpen() {
        if (isFirst && heard) {
          isFirst = false;
          return !heard.hasEnded();
        }
        const look: Look = { tenant, uid };
        await lookAt(look);
        if (look.error) throw look.error;
        return look.isOpen!;
      },
      listen: (heard) => endings.once(uid, heard),
      everyMs: () => (endings.isListening ? POLL_HEARD_MS : POLL_MS),
    };
  }

  /** Waits until a subject of the tenant has ended, at most as long as the caller prefers. */
  async function waitFor(
    call: WaitingCall & { prefer: Preferences },
    key: string,
    isOpen: () => Promise<boolean>,
  ): Promise<void> {
    const { waitMs: preferred, respondAsync } = call.prefer;
    const { workspace, environment } = call.caller;
    const subject = { key: `${workspace} ${environment} ${key}`, isOpen, everyMs: () => POLL_MS };
    await watches.end(subject, patienceOf(call, preferred ?? (respondAsync ? 0 : waitMs)));
  }

  /** Works like `waitFor`, but returns at once if too many requests are waiting. */
  async function waitForIfSeated(...given: Parameters<typeof waitFor>): Promise<void> {
    await waitFor(...given).catch(refuseNobody);
  }

  return { listenFor, ended, endedIfSeated, waitFor, waitForIfSeated };
}

/** A check whether a run is still open, with its result. */
type Look = { tenant: Tenant; uid: string; isOpen?: boolean; error?: unknown };

/**
 * Reads the states of runs of one tenant in one statement. If the statement fails, every check gets this
 * error.
 */
async function lookTogether(orm: Orm, looks: readonly Look[]): Promise<void> {
  const uids = looks.map(({ uid }) => uid);
  try {
    const open = await inOneStatement(orm, looks[0]!.tenant, (em) => openRuns(em, uids), {
      isReadOnly: true,
    });
    for (const look of looks) look.isOpen = open.has(look.uid);
  } catch (error) {
    for (const look of looks) look.error = error;
  }
}

/** Ignores the error `too_many_waiting`, for answers that do not need the wait. */
function refuseNobody(error: unknown): void {
  if (!(error instanceof Problem && error.code === 'too_many_waiting')) throw error;
}
