type Verdict =
  | { readonly ok: true; readonly inclusion?: { readonly index: number } }
  | { readonly ok: false; readonly kind: string; readonly message: string };
type Verifier = { verifyPack(text: string, options: { keys?: string }): Promise<Verdict> };

/** Verifies an evidence pack, or the proof of an entry, with the published verifier, against the published keys. */
export async function checkPack(button: HTMLButtonElement): Promise<void> {
  const card = button.closest<HTMLElement>('[data-pack-card]')!;
  const line = card.querySelector<HTMLElement>('[data-verdict]')!;
  line.textContent = 'Checking the hashes and the signature …';
  const start = performance.now();
  const base = new URL('../verify-pack.js', import.meta.url).href;
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
