import { publishedKeys } from '#lib/trust/signing-key.write.ts';
import { html } from '../html.ts';
import { definePage } from '../page.ts';
import { recordView } from '../record-view.ts';
import { card } from '../shell.ts';

/** The public keys that sign evidence packs. */
export const keysPage = definePage({
  path: '/console/keys',
  area: 'Evidence packs',
  document: ({ ask }) => ask(publishedKeys),
  async render({ ask }) {
    const keys = await ask(publishedKeys);
    const body = html`<header class="head">
        <div>
          <h1>Signing keys</h1>
          <p class="meta">Public keys that verify evidence packs</p>
        </div>
      </header>
      ${card({ title: 'Keys' }, recordView(keys))}`;
    return { title: 'Signing keys', crumbs: [['Evidence packs', '/console/packs'], ['Keys']], body };
  },
});
