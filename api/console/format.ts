import { number } from './charts/scale.ts';
import { html, type Html } from './html.ts';

/** Writes an instant as a date and time in UTC. */
export function instant(text: string | null | undefined): Html | string {
  if (!text) return '–';
  return html`<time datetime="${text}">${text.slice(0, 16).replace('T', ' ')}</time>`;
}

/** Writes the duration between two instants: in seconds below two minutes, otherwise in minutes or hours. */
export function duration(from: string | null, to: string | null): string {
  if (from === null || to === null) return '–';
  const seconds = (Date.parse(to) - Date.parse(from)) / 1_000;
  if (seconds < 120) return `${number(seconds, seconds < 10 ? 1 : 0)} s`;
  return seconds < 7_200 ? `${number(seconds / 60)} min` : `${number(seconds / 3_600, 1)} h`;
}

/** Writes an amount in minor units with the decimals of its currency. */
export function minor(amount: number, scale: number): string {
  return number(amount / 10 ** scale, scale);
}

/** Writes a key such as `expected_shortfall` as words. */
export function words(key: string): string {
  return key.replaceAll(/[_-]/g, ' ');
}

/** Writes a key such as `order_batches_open` as words that begin with a capital letter. */
export function sentence(key: string): string {
  const text = words(key);
  return text === '' ? '' : `${text[0]!.toUpperCase()}${text.slice(1)}`;
}

/** Writes a state as a pill whose colour shows whether it is good, open, bad or neutral. */
export function pill(state: string): Html {
  return html`<span class="pill ${toneOf(state)}">${words(state)}</span>`;
}

const good =
  /^(succeeded|done|sealed|active|activated|approved|settled|complete|completed|resolved|published|closed|verified|enabled|satisfied|pass|passed|confirmed|allow|allowed|answered|admitted|trained|evaluated|installed|reached)$/;
const bad =
  /^(failed|cancelled|refused|rejected|denied|revoked|suspended|disputed|broken|expired|timed_out|critical|high|fail|deny|not_satisfied|missed)$/;
const flat = /^(long|short|none|not_evaluated|not_applicable|superseded|retired|withdrawn|not_covered|void)$/;

function toneOf(state: string): string {
  if (flat.test(state)) return 'flat';
  return good.test(state) ? 'ok' : bad.test(state) ? 'bad' : 'warn';
}
