import { followList, waitOf } from './list-loads.ts';
import { trusted } from './trusted.ts';

/** A change of a run, as the server sends it. */
type Change = { uid: string; state: string; tone: string; percent: number; isOver: boolean };

/** How long the page waits before it opens a refused stream again: at first, and at most, in milliseconds. */
const REOPEN_MS = 5_000;
const REOPEN_MS_MAX = 60_000;

const list = document.querySelector<HTMLElement>('[data-live-list]');
/** The address of the page. The location is another one after a refused decision, and cannot be loaded again. */
const place =
  list?.dataset['liveList'] ??
  document.querySelector<HTMLElement>('[data-whole]')?.dataset['whole'] ??
  location.href;
const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Follows the runs that the page marks as open (`data-live`). A list shows each change of a run. The page of a run
 * (`data-whole`) loads again when the run has ended. The list of all open runs (`data-live-list`) is loaded again when a
 * run is submitted or ends. A hidden page follows nothing.
 */
export function followRuns(): void {
  const runs = marked().map((each) => each.dataset['live']);
  if (runs.length === 0 && !list) return;
  const query = list ? 'open=1' : `runs=${runs.join(',')}`;
  const showList = list && followListOf(list);
  let source: EventSource | undefined;
  let reopenMs = REOPEN_MS;
  let reopening: number | undefined;
  const open = (): void => {
    clearTimeout(reopening);
    source?.close();
    source = undefined;
    if (document.hidden) return;
    source = new EventSource(`/console/live?${query}`);
    source.addEventListener('open', () => (reopenMs = REOPEN_MS));
    source.addEventListener('message', ({ data }) => {
      const change = JSON.parse(String(data)) as Change;
      for (const each of marked()) if (each.dataset['live'] === change.uid) show(each, change);
    });
    source.addEventListener('list', ({ data }) => void showList?.(JSON.parse(String(data)) as string[]));
    source.addEventListener('ended', () => source?.close());
    // The browser opens an interrupted stream again, but not a refused one.
    source.addEventListener('error', () => {
      if (source?.readyState === EventSource.CLOSED) void reopen();
    });
  };
  /** Opens a refused stream after a pause, which grows. If the page is refused as well, loads the page instead. */
  const reopen = async (): Promise<void> => {
    const waitMs = await fetch(place, { method: 'HEAD' }).then(
      (answer) => waitOf(answer) ?? (answer.ok ? 0 : loadPage()),
      () => 0,
    );
    reopening = setTimeout(open, Math.max(waitMs, reopenMs));
    reopenMs = Math.min(2 * reopenMs, REOPEN_MS_MAX);
  };
  document.addEventListener('visibilitychange', open);
  open();
}

function marked(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[data-live]')];
}

/**
 * Returns the function that replaces a list of open runs by the server's, unless both have the same runs. It waits while
 * the person is using the list, and keeps the chosen run.
 */
function followListOf(own: HTMLElement): (uids?: readonly string[]) => Promise<void> {
  const isInUse = (): boolean => document.hidden || own.contains(document.activeElement);
  const load = async (): Promise<number | undefined> => {
    const answer = await fetch(place);
    const waitMs = waitOf(answer);
    if (waitMs !== undefined) return waitMs;
    const page = new DOMParser().parseFromString(trusted(await answer.text()), 'text/html');
    const fresh = page.querySelector('[data-live-list]');
    const hasForm = (from: Document): boolean => from.querySelector('form.decide') !== null;
    if (!answer.ok || !fresh || hasForm(page) !== hasForm(document)) return loadPage();
    // The person may have begun to use the list meanwhile.
    if (isInUse()) return 0;
    const chosen = own.querySelector<HTMLInputElement>('input:checked')?.value;
    own.replaceChildren(...fresh.childNodes);
    for (const input of own.querySelectorAll('input')) input.checked = input.value === chosen;
    return undefined;
  };
  const shows = (uids: readonly string[]): boolean =>
    marked()
      .map((each) => each.dataset['live'])
      .join() === uids.join();
  const follow = followList({ shows, isInUse, load, wait: delay });
  own.addEventListener('focusout', () => setTimeout(() => void follow()));
  return follow;
}

/** Loads the page again with GET. Never returns, because the page ends. */
function loadPage(): Promise<never> {
  if (new URL(place, location.href).pathname === location.pathname) location.reload();
  else location.replace(place);
  return new Promise(() => {});
}

function show(at: HTMLElement, { state, tone, percent, isOver }: Change): void {
  if (isOver && at.dataset['whole'] !== undefined) return void loadPage();
  const pill = at.querySelector('.pill');
  if (pill) {
    pill.className = `pill ${tone}`;
    pill.textContent = state;
  }
  const share = at.querySelector('[data-percent]');
  if (share) share.textContent = isOver ? '' : `${percent} %`;
  const progress = at.querySelector('progress');
  if (progress) progress.value = percent;
}
