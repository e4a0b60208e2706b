import { stateOf } from './gcra.ts';
import { WINDOW_S, type Rate, type Rates } from './policy.ts';

/** The part of a quota that a process draws at once, as one of this number of equal parts. */
const PARTS = 50;
/** The largest number of requests that a process draws at once. */
const DRAWN_MAX = 1_000;
/** The largest number of quotas of which a process holds more requests than it needs at once. */
const SHARES_MAX = 10_000;

/** Requests that were drawn from a quota: how many are left, when they were drawn, and when the quota was full then. */
type Drawn = { left: number; at: number; fullInS: number };

/** The requests that were drawn from each of several quotas, in their order. */
export type Draw = readonly { count: number; fullInS: number }[];

export type DrawnRatesParts = {
  /**
   * Draws up to `wanted` requests from each quota of a slot. A quota that does not have them gives one request or none.
   */
  draw(slot: string, rates: readonly (Rate & { wanted: number })[]): Promise<Draw>;
  /** Returns the seconds since an arbitrary start. */
  now(): number;
  /** The largest number of quotas of which the process holds a part. It remembers twice as many at most. */
  sharesMax?: number | undefined;
};

/**
 * Creates a counter that draws a small part of a shared quota at once and counts these requests in this process, so that
 * most requests write nothing to the shared counter. A process draws a fiftieth of a quota, and at least one request.
 * Quotas of less than 100 requests are therefore counted exactly. For a larger quota, each process may hold up to a
 * fiftieth of it for at most one window. Callers can be refused that much early, and can use that much more in one
 * window. Requests that a process holds when it stops are lost to the quota for one window. A process that holds parts of
 * very many quotas draws single requests from others, so that it does not have to give up what it has not used.
 */
export function createDrawnRates({ draw, now, sharesMax = SHARES_MAX }: DrawnRatesParts): Rates {
  const keysMax = 2 * sharesMax;
  // Both in the order of drawing. Refusals need the quotas that are used up, to state when they are full again.
  const held = new Map<string, Drawn>();
  const usedUp = new Map<string, Drawn>();
  const drawing = new Map<string, Promise<ReadonlySet<string>>>();
  const isLacking = ({ key }: Rate) => !((heldOf(key)?.left ?? 0) >= 1);

  function heldOf(key: string): Drawn | undefined {
    const drawn = held.get(key) ?? usedUp.get(key);
    return drawn && now() - drawn.at < WINDOW_S ? drawn : undefined;
  }

  function store(key: string, drawn: Drawn): void {
    held.delete(key);
    usedUp.delete(key);
    (drawn.left >= 1 ? held : usedUp).set(key, drawn);
  }

  /** Forgets what is out of date, and then the oldest, until the process remembers few enough quotas. */
  function forget(): void {
    for (const [key, { at }] of held) {
      if (now() - at < WINDOW_S) break;
      held.delete(key);
    }
    for (const drawn of [held, usedUp]) while (drawn.size > keysMax) drawn.delete(drawn.keys().next().value!);
  }

  /** Returns the number of requests to draw from a quota. */
  function wantedOf(rate: Rate): number {
    return held.size + drawing.size < sharesMax ? shareOf(rate) : 1;
  }

  /** Draws from quotas. Returns the keys of those that are used up. */
  async function drawFrom(slot: string, rates: readonly Rate[]): Promise<ReadonlySet<string>> {
    const drawn = await draw(
      slot,
      rates.map((rate) => ({ ...rate, wanted: wantedOf(rate) })),
    );
    for (const [place, { key }] of rates.entries()) {
      const { count, fullInS } = drawn[place]!;
      store(key, { left: count, at: now(), fullInS });
    }
    forget();
    return new Set(rates.filter((_rate, place) => !(drawn[place]!.count >= 1)).map(({ key }) => key));
  }

  /** Draws from quotas of which nothing is left, or waits for another request that draws from one of them. */
  async function refill(slot: string, lacking: readonly Rate[]): Promise<ReadonlySet<string>> {
    const other = lacking.map(({ key }) => drawing.get(key)).find((each) => each !== undefined);
    if (other) return other;
    const drawn = drawFrom(slot, lacking).finally(() => {
      for (const { key } of lacking) drawing.delete(key);
    });
    for (const { key } of lacking) drawing.set(key, drawn);
    return drawn;
  }

  function statesOf(rates: readonly Rate[]) {
    return rates.map((rate) => {
      const { left, at, fullInS } = heldOf(rate.key) ?? { left: 0, at: now(), fullInS: 0 };
      return stateOf(rate, Math.max(0, fullInS - (now() - at) - (left * WINDOW_S) / rate.quota));
    });
  }

  return {
    async take(slot, rates) {
      for (;;) {
        const lacking = rates.filter(isLacking);
        if (lacking.length === 0) break;
        const usedUp = await refill(slot, lacking);
        if (lacking.some(({ key }) => usedUp.has(key))) return { allowed: false, states: statesOf(rates) };
      }
      for (const { key } of rates) {
        const drawn = held.get(key)!;
        drawn.left -= 1;
        if (!(drawn.left >= 1)) store(key, drawn);
      }
      return { allowed: true, states: statesOf(rates) };
    },
  };
}

/** Returns the number of requests that a process draws from a quota at once. */
function shareOf({ quota }: Rate): number {
  return Math.min(DRAWN_MAX, Math.max(1, Math.floor(quota / PARTS)));
}

const DRAW = `
  select drawn, full_in
  from draw_rates(string_to_array($1, ','), string_to_array($2, ',')::integer[],
    string_to_array($3, ',')::integer[], ${WINDOW_S})`;

/** Sends a statement to PostgreSQL and returns its rows. */
type Ask = (text: string, values: string[]) => Promise<{ drawn: string; full_in: string }[]>;

/** Creates a counter that draws on quotas that are stored in PostgreSQL. */
export function createPostgresDrawnRates({ ask, now }: { ask: Ask; now(): number }): Rates {
  return createDrawnRates({
    now,
    async draw(_slot, rates) {
      const columns = [
        rates.map(({ key }) => key),
        rates.map(({ quota }) => quota),
        rates.map(({ wanted }) => wanted),
      ];
      const values = columns.map((column) => column.join(','));
      const [row] = await ask(DRAW, values);
      const fullIn = row!.full_in.split(' ').map(Number);
      return row!.drawn.split(' ').map((count, place) => ({ count: Number(count), fullInS: fullIn[place]! }));
    },
  });
}
