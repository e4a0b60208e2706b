import { canonical } from './canonical.ts';

type Sealed = {
  readonly seal: {
    readonly hash: string;
    readonly covers: readonly string[];
    readonly member_hashes: Readonly<Record<string, string>>;
  };
} & Readonly<Record<string, unknown>>;

/** Recomputes the seal of an answer in the browser, and marks each member as matching or differing. */
export async function verify(button: HTMLButtonElement): Promise<void> {
  const card = button.closest<HTMLElement>('.seal')!;
  const verdict = card.querySelector<HTMLElement>('[data-verdict]')!;
  verdict.textContent = 'Computing the hashes …';
  const start = performance.now();
  const text = await (await fetch(button.dataset['verify']!)).text();
  const run = JSON.parse(text) as Sealed;
  const { covers, hash, member_hashes } = run.seal;
  let isIntact = true;
  for (const name of covers) {
    const matches = (await sha256(canonical(run[name]))) === member_hashes[name];
    isIntact &&= matches;
    show(card, name, matches);
  }
  const whole = await sha256(canonical(Object.fromEntries(covers.map((name) => [name, run[name]]))));
  show(card, 'seal', whole === hash);
  isIntact &&= whole === hash;
  const [size, ms] = [Math.round(text.length / 1024), Math.round(performance.now() - start)];
  verdict.className = `verdict ${isIntact ? 'good' : 'bad'}`;
  verdict.textContent = isIntact
    ? `The seal matches: ${covers.length} members, ${size} KB hashed in this browser in ${ms} ms.`
    : 'The seal does not match. The members that differ are marked below.';
}

function show(card: HTMLElement, name: string, matches: boolean): void {
  const cell = card.querySelector<HTMLElement>(`[data-member="${CSS.escape(name)}"]`);
  if (!cell) return;
  cell.className = `tick-cell ${matches ? 'up' : 'down'}`;
  cell.textContent = matches ? '✓' : 'differs';
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

type Verdict =
  | { readonly ok: true; readonly inclusion?: { readonly index: number } }
  | { readonly ok: false; readonly kind: string; readonly message: string };
type Verifier = { verifyPack(text: string, options: { keys?: string }): Promise<Verdict> };

/** Verifies an evidence pack, or the proof of an entry, with the published verifier and the published keys. */
export async function checkPack(button: HTMLButtonElement): Promise<void> {
  const card = button.closest<HTMLElement>('[data-pack-card]')!;
  const line = card.querySelector<HTMLElement>('[data-verdict]')!;
  line.textContent = 'Checking the hashes and the signature …';
  const start = performance.now();
  const base = new URL('./verify-pack.js', import.meta.url).href;
  const [text, keys, { verifyPack }] = await Promise.all([
    fetch(button.dataset['checkPack']!).then((answer) => answer.text()),
    fetch('/console/keys/json').then((answer) => answer.text()),
    import(base) as Promise<Verifier>,
  ]);
  const verdict = await verifyPack(text, { keys });
  const ms = Math.round(performance.now() - start);
  line.className = `verdict ${verdict.ok ? 'good' : 'bad'}`;
  if (!verdict.ok) {
    line.textContent = `Not valid (${verdict.kind}): ${verdict.message}.`;
    return;
  }
  line.textContent = `${verdict.inclusion ? `Entry ${verdict.inclusion.index} is in the log, and the pack` : 'The pack'} is valid. It is signed by a published key. Checked in this browser in ${ms} ms.`;
}
