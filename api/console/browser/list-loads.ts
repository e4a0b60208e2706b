/** How long a list waits after a load before it loads again, and before it tries again, in milliseconds. */
const PAUSE_MS = 3_000;
const RETRY_MS = 5_000;

type Followed = {
  /** Whether the page shows these runs already. */
  shows(uids: readonly string[]): boolean;
  /** Whether the list must stay as it is for now. */
  isInUse(): boolean;
  /**
   * Loads the list. Returns how long to wait before another try, in milliseconds; undefined if there is nothing left to
   * try.
   */
  load(): Promise<number | undefined>;
  wait(ms: number): Promise<void>;
};

/**
 * Returns the function that a page calls with the newest runs of its list, and without runs when the list is no longer in
 * use. One load is in flight at a time, with a pause after it. Only the newest runs are remembered until then.
 */
export function followList({
  shows,
  isInUse,
  load,
  wait,
}: Followed): (uids?: readonly string[]) => Promise<void> {
  let wanted: readonly string[] | undefined;
  let isLoading = false;
  return async (uids) => {
    wanted = uids ?? wanted;
    if (isLoading) return;
    isLoading = true;
    while (wanted && !shows(wanted) && !isInUse()) {
      const loading = wanted;
      const waitMs = await load().catch(() => RETRY_MS);
      if (waitMs === undefined && wanted === loading) wanted = undefined;
      await wait(waitMs ?? PAUSE_MS);
    }
    isLoading = false;
  };
}

/**
 * Returns how long to wait before a request is sent again that the server refused for now, in milliseconds; undefined if it
 * accepted the request, or refuses it for good.
 */
export function waitOf({ status, headers }: Response): number | undefined {
  if (status !== 429 && status < 500) return undefined;
  return Number(headers.get('Retry-After')) * 1_000 || RETRY_MS;
}
