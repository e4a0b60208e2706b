import { html, type Html } from '../html.ts';

/** Returns the card with the button that verifies an evidence pack, or the proof of an entry, in the browser. */
export function packCheck(source: string, about: string): Html {
  return html`<section class="card" aria-labelledby="h-check" data-pack-card>
    <header>
      <h2 id="h-check">Check</h2>
      <button class="small" type="button" data-check-pack="${source}">Verify in this browser</button>
    </header>
    <p class="verdict" data-verdict role="status">Not checked yet. ${about}</p>
  </section>`;
}
