import { trusted } from './trusted.ts';

/** A change of a run, as the server sends it. */
type Change = { uid: string; state: string; tone: string; percent: number; isOver: boolean };

/** How long the page waits before it loads again, if the stream of events cannot be opened, in milliseconds. */
const RELOAD_MS = 5_000;

const list = document.querySelector<HTMLElement>('[data-live-list]');

/**
 * Follows the runs that the page marks as open (`data-live`). A list shows each change of a run. The page of a run loads
 * again when the run has ended. The list of all open runs (`data-live-list`) is loaded again when a run is submitted or
 * ends. A hidden page follows nothing.
 */
export function followRuns(): void {
  const runs = marked().map((each) => each.dataset['live']);
  if (runs.length === 0 && !list) return;
  const query = list ? 'open=1' : `runs=${runs.join(',')}`;
  let source: EventSource | undefined;
  const open = (): void => {
    source?.close();
    source = undefined;
    if (document.hidden) return;
    source = new EventSource(`/console/live?${query}`);
    source.addEventListener('message', ({ data }) => {
      const change = JSON.parse(String(data)) as Change;
      for (const each of marked()) if (each.dataset['live'] === change.uid) show(each, change);
    });
    source.addEventListener('list', ({ data }) => void showList(JSON.parse(String(data)) as string[]));
    source.addEventListener('ended', () => source?.close());
    // The browser opens an interrupted stream again, but not a refused one.
    source.addEventListener('error', () => {
      if (source?.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), RELOAD_MS);
    });
  };
  document.addEventListener('visibilitychange', open);
  open();
}

function marked(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[data-live]')];
}

/**
 * Replaces the list of open runs by the server's, unless both have the same runs. Waits while the person is using the
 * list, and keeps the chosen run.
 */
async function showList(uids: readonly string[]): Promise<void> {
  if (
    !list ||
    marked()
      .map((each) => each.dataset['live'])
      .join() === uids.join()
  )
    return;
  if (list.contains(document.activeElement)) {
    list.addEventListener('focusout', () => setTimeout(() => void showList(uids)), { once: true });
    return;
  }
  const answer = await fetch(location.href);
  const page = new DOMParser().parseFromString(trusted(await answer.text()), 'text/html');
  const fresh = page.querySelector('[data-live-list]');
  const hasForm = (from: Document): boolean => from.querySelector('form.decide') !== null;
  if (!answer.ok || !fresh || hasForm(page) !== hasForm(document)) return location.reload();
  const chosen = list.querySelector<HTMLInputElement>('input:checked')?.value;
  list.replaceChildren(...fresh.childNodes);
  for (const input of list.querySelectorAll('input')) input.checked = input.value === chosen;
}

function show(place: HTMLElement, { state, tone, percent, isOver }: Change): void {
  if (isOver && place.dataset['whole'] !== undefined) return location.reload();
  const pill = place.querySelector('.pill');
  if (pill) {
    pill.className = `pill ${tone}`;
    pill.textContent = state;
  }
  const share = place.querySelector('[data-percent]');
  if (share) share.textContent = isOver ? '' : `${percent} %`;
  const progress = place.querySelector('progress');
  if (progress) progress.value = percent;
}
