import { html, type Html } from '../html.ts';
import { table } from '../table.ts';
import type { SealView } from './resource.ts';

/** Returns the card of a seal, with a button that recomputes the hashes in the browser from the answer at `source`. */
export function sealCard(seal: SealView, source: string): Html {
  const rows = [
    ...seal.covers.map((name) => ({ name, hash: seal.member_hashes[name] ?? '' })),
    { name: 'seal', hash: seal.hash },
  ];
  return html`<section class="card seal" aria-labelledby="h-seal">
    <header>
      <h2 id="h-seal">Seal</h2>
      <button class="small" type="button" data-verify="${source}">Verify in this browser</button>
    </header>
    <p class="verdict" data-verdict role="status">
      Not checked yet. This browser computes the hashes of the answer and compares them.
    </p>
    ${table(
      'Members that the seal covers',
      [
        { heading: 'Member', cell: ({ name }) => name },
        {
          heading: 'SHA-256',
          cell: ({ hash }) =>
            html`<span class="mono dim" title="${hash}">${hash.slice(0, 12)}…${hash.slice(-6)}</span>`,
        },
        { heading: 'Match', cell: ({ name }) => html`<span class="tick-cell" data-member="${name}"></span>` },
      ],
      rows,
      'tight',
    )}
  </section>`;
}
