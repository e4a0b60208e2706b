/** A change of a run, as the server sends it. */
type Change = { uid: string; state: string; tone: string; percent: number; isOver: boolean };

/** How long the page waits before it loads again, if the stream of events cannot be opened, in milliseconds. */
const RELOAD_MS = 5_000;

/**
 * Follows the runs that the page marks as open (`data-live`). A list shows each change of a run. The page of a run loads
 * again when the run has ended. A hidden page follows nothing.
 */
export function followRuns(): void {
  const marked = [...document.querySelectorAll<HTMLElement>('[data-live]')];
  if (marked.length === 0) return;
  const runs = marked.map((each) => each.dataset['live']).join(',');
  let source: EventSource | undefined;
  const open = (): void => {
    source?.close();
    source = undefined;
    if (document.hidden) return;
    source = new EventSource(`/console/live?runs=${runs}`);
    source.addEventListener('message', ({ data }) => {
      const change = JSON.parse(String(data)) as Change;
      for (const each of marked) if (each.dataset['live'] === change.uid) show(each, change);
    });
    source.addEventListener('ended', () => source?.close());
    // The browser opens an interrupted stream again, but not a refused one.
    source.addEventListener('error', () => {
      if (source?.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), RELOAD_MS);
    });
  };
  document.addEventListener('visibilitychange', open);
  open();
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
