import { instant, pill } from '../format.ts';
import { html } from '../html.ts';
import { definePage } from '../page.ts';
import { recordView } from '../record-view.ts';
import { card, fact } from '../shell.ts';
import { table } from '../table.ts';
import { number } from '../charts/scale.ts';
import { packCheck } from './pack-check.ts';

const READ = 'trust.evidence_packs.get';

type Control = { id?: string; title: string; result: string; population: number; failed: number };
type Pack = {
  uid: string;
  sequence?: number;
  state?: string;
  period: { from: string; to: string };
  log: { tree_size: number; root_hash: string };
  controls: readonly Control[];
  seal: { pack_hash: string };
  previous?: unknown;
};

/** An evidence pack: its controls, its place in the log, and the check of its signature in the browser. */
export const packPage = definePage({
  path: '/console/packs/:id',
  area: 'Evidence packs',
  document: ({ read, params }) => read(READ, { uid: params['id'] }),
  async render({ read, params }) {
    const uid = params['id']!;
    const pack = await read<Pack>(READ, { uid });
    const crumbs = [['Evidence packs', '/console/packs'], [uid]] as const;
    const isOpen = /queued|running/.test(pack.state ?? '');
    if (pack.sequence === undefined)
      return {
        title: 'Evidence pack',
        crumbs,
        body: html`<header class="head"><h1>Evidence pack</h1></header>
          <div ${isOpen && html`data-live="${uid}" data-whole="/console/packs/${uid}"`}>
            ${card({ title: 'Run' }, recordView(pack))}
          </div>`,
        ...(isOpen ? { refresh: { place: `/console/packs/${uid}`, afterS: 5 } } : {}),
      };
    const failed = pack.controls.filter((control) => control.failed > 0).length;
    const body = html`<header class="head">
        <div>
          <h1>Evidence pack ${pack.sequence}</h1>
          <p class="meta">
            <span>${instant(pack.period.from)} to ${instant(pack.period.to)} UTC</span
            ><span class="mono">${uid}</span>
          </p>
        </div>
        <div class="acts">
          <a class="button" href="/console/packs/${uid}/json" download="${uid}.json">Pack</a>
        </div>
      </header>
      <dl class="facts">
        ${fact('Entries in the log', number(pack.log.tree_size))}
        ${fact('Controls', String(pack.controls.length), `${failed} with findings`)}
        ${fact('Number in the chain', String(pack.sequence))}
      </dl>
      <div class="grid-2">
        ${card(
          { title: 'Controls' },
          table(
            'Controls',
            [
              { heading: 'Control', cell: ({ title }) => title },
              { heading: 'Result', cell: ({ result }) => pill(result) },
              { heading: 'Entries', isNumber: true, cell: ({ population }) => number(population) },
              { heading: 'Failed', isNumber: true, cell: ({ failed: count }) => number(count) },
            ],
            pack.controls,
            'tight wrap-first',
          ),
        )}
        <div class="stack">
          ${packCheck(`/console/packs/${uid}/json`, 'The browser recomputes the hashes and checks the signature.')}
          ${card({ title: 'Log' }, recordView({ root_hash: pack.log.root_hash, pack_hash: pack.seal.pack_hash, previous: pack.previous ?? null }))}
        </div>
      </div>`;
    return { title: `Evidence pack ${pack.sequence}`, crumbs, body };
  },
});
