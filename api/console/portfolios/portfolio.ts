import { bar } from '../charts/small.ts';
import { number } from '../charts/scale.ts';
import { pill, words } from '../format.ts';
import { html, raw, type Html } from '../html.ts';
import { definePage } from '../page.ts';
import { recordView } from '../record-view.ts';
import { card, fact } from '../shell.ts';
import { empty } from '../states.ts';
import { table } from '../table.ts';

type Position = {
  symbol: string;
  currency: string;
  quantity: string;
  basis_minor: number | null;
  price: string | null;
  value_minor: number | null;
  gain_minor: number | null;
};
type Portfolio = {
  portfolio: string;
  name: string;
  base_currency: string;
  lot_relief: string;
  tax_regime: string;
  as_of: string;
  positions: readonly Position[];
  cash: readonly { currency: string; amount_minor: number }[];
  totals: readonly { currency: string; value_minor: number; basis_minor: number; cash_minor: number }[];
  breaks: readonly unknown[];
  coverage: { positions: number; priced: number; stale: readonly string[]; unpriced: readonly string[] };
};
type Lot = {
  lot: string;
  symbol: string;
  currency: string;
  acquired_on: string | null;
  term: string | null;
  quantity: string;
  basis_minor: number;
  value_minor: number | null;
  gain_minor: number | null;
};

/** The number of decimals of an amount, for display. The currencies of portfolios have two decimals. */
const SCALE = 2;
const LOTS_MAX = 100;

/** A portfolio: its positions by value, its cash, and its tax lots by holding period. */
export const portfolioPage = definePage({
  path: '/console/portfolios/:id',
  area: 'Portfolios',
  async render({ read, params, query }) {
    const portfolio = params['id']!;
    const asOf = query['as_of'] === undefined ? {} : { as_of: query['as_of'] };
    const record = await read<Portfolio>('investment.portfolios.get', { portfolio, ...asOf });
    const lots = await read<{ data: readonly Lot[] }>('investment.portfolios.tax_lots.list', {
      portfolio,
      ...asOf,
      limit: LOTS_MAX,
    });
    const isPriced = record.coverage.priced === record.coverage.positions;
    const body = html`<header class="head">
        <div>
          <h1>${record.name}<span class="key">${portfolio}</span></h1>
          <p class="meta">
            <span>as of ${record.as_of}</span><span>${record.base_currency}</span
            ><span>lots: ${words(record.lot_relief)}</span>
            <span>tax: ${words(record.tax_regime)}</span>
          </p>
        </div>
      </header>
      <form class="filters" action="/console/portfolios/${encodeURIComponent(portfolio)}">
        <label>As of<input type="date" name="as_of" value="${record.as_of}" required /></label>
        <button type="submit">Show</button>
      </form>
      <dl class="facts">
        ${record.totals
          .slice(0, 2)
          .map((total) => [
            fact('Value', money(total.value_minor), total.currency),
            fact(
              'Gain',
              isPriced ? gain(total.value_minor - total.cash_minor - total.basis_minor) : '–',
              isPriced ? `on ${money(total.basis_minor)}` : 'not every position has a price',
            ),
            fact('Cash', money(total.cash_minor), total.currency),
          ])}
        ${fact('Positions', String(record.coverage.positions), `${record.coverage.priced} priced`)}
        ${fact('Breaks', String(record.breaks.length), 'against reported totals')}
      </dl>
      <div class="stack">
        ${card({ title: 'Positions' }, positionsTable(record.positions))}
        ${record.breaks.length > 0 && card({ title: 'Breaks' }, recordView(record.breaks))}
        ${card(
          {
            title: 'Tax lots',
            note: lots.data.length === LOTS_MAX ? `the first ${LOTS_MAX}` : String(lots.data.length),
          },
          lots.data.length === 0 ? empty('The portfolio has no open tax lot.') : lotsTable(lots.data),
        )}
      </div>`;
    return { title: record.name, crumbs: [['Portfolios', '/console/portfolios'], [portfolio]], body };
  },
});

function money(minor: number | null): string {
  return minor === null ? '–' : number(minor / 10 ** SCALE, SCALE);
}

function gain(minor: number | null): Html {
  return html`<span class="${minor !== null && (minor < 0 ? 'down' : 'up')}">${money(minor)}</span>`;
}

function positionsTable(positions: readonly Position[]): Html {
  if (positions.length === 0) return empty('The portfolio has no position.');
  const sorted = positions.toSorted((one, other) => (other.value_minor ?? 0) - (one.value_minor ?? 0));
  const most = Math.max(1, sorted[0]?.value_minor ?? 1);
  return table(
    'Positions',
    [
      { heading: 'Symbol', cell: ({ symbol }) => symbol },
      { heading: 'Quantity', isNumber: true, cell: ({ quantity }) => quantity },
      {
        heading: 'Price',
        isNumber: true,
        cell: ({ price }) => (price === null ? '–' : number(Number(price), 2)),
      },
      { heading: 'Value', isNumber: true, cell: ({ value_minor }) => money(value_minor) },
      { heading: 'Share of the largest', cell: ({ value_minor }) => raw(bar((value_minor ?? 0) / most)) },
      { heading: 'Basis', isNumber: true, cell: ({ basis_minor }) => money(basis_minor) },
      { heading: 'Gain', isNumber: true, cell: ({ gain_minor }) => gain(gain_minor) },
      { heading: 'Currency', cell: ({ currency }) => currency },
    ],
    sorted,
  );
}

function lotsTable(lots: readonly Lot[]): Html {
  return table(
    'Tax lots',
    [
      { heading: 'Lot', cell: ({ lot }) => html`<span class="mono">${lot}</span>` },
      { heading: 'Symbol', cell: ({ symbol }) => symbol },
      { heading: 'Acquired', cell: ({ acquired_on }) => acquired_on ?? '–' },
      { heading: 'Term', cell: ({ term }) => (term === null ? '–' : pill(term)) },
      { heading: 'Quantity', isNumber: true, cell: ({ quantity }) => quantity },
      { heading: 'Basis', isNumber: true, cell: ({ basis_minor }) => money(basis_minor) },
      { heading: 'Value', isNumber: true, cell: ({ value_minor }) => money(value_minor) },
      { heading: 'Gain', isNumber: true, cell: ({ gain_minor }) => gain(gain_minor) },
    ],
    lots,
    'tight',
  );
}
