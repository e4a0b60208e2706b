import { decisionForm, decisionNotice } from '../decision-form.ts';
import { pill } from '../format.ts';
import { html, type Html, type Part } from '../html.ts';
import { definePage, type Page, type PageCall } from '../page.ts';
import { pager } from '../pager.ts';
import { recordView } from '../record-view.ts';
import { card } from '../shell.ts';
import { empty } from '../states.ts';
import { table, type TableColumn } from '../table.ts';
import { recordDecisions, type RecordDecisions } from './decisions.ts';
import { gantt } from './gantt.ts';
import { recordLists } from './lists.ts';
import type { RecordList } from './record-list.ts';

type Row = Readonly<Record<string, unknown>>;
type List = { readonly data: readonly Row[]; readonly page: { readonly next_cursor: string | null } };

/** The functions that return a card with a chart of a record, by the `place` of the record's list. */
const charts: Readonly<Record<string, (record: Row) => Html>> = { workflows: gantt };

/** A page for each list of records. */
export const listPages: readonly Page[] = recordLists.map((list) =>
  definePage({
    path: `/console/${list.place}`,
    area: list.area,
    async render({ query, read }) {
      const { filter } = list;
      const chosen = filter && query[filter.name];
      const filters: Record<string, string> = filter && chosen ? { [filter.name]: chosen } : {};
      const cursor = query['cursor'];
      const { data, page } = await read<List>(list.list, { ...filters, ...(cursor && { cursor }) });
      const body = html`<header class="head">
          <div>
            <h1>${list.title}</h1>
            <p class="meta">${list.about}</p>
          </div>
        </header>
        ${filter && filterForm(list, filter, chosen)}
        ${card(
          { title: list.title, note: chosen ?? '' },
          data.length === 0
            ? empty('There is nothing here yet. The command line creates the first record:', list.firstBy)
            : table(list.title, columnsOf(list), data),
        )}
        ${pager(`/console/${list.place}`, filters, page.next_cursor, cursor)}`;
      return { title: list.title, crumbs: [[list.title]], body };
    },
  }),
);

/** A page for each record of the lists that have one. */
export const recordPages: readonly Page[] = recordLists.flatMap((list) => {
  const { read: one } = list;
  if (!one || list.hasOwnPage) return [];
  const deciding = recordDecisions[list.place];
  return [
    definePage({
      path: `/console/${list.place}/:id`,
      area: list.area,
      decisions: deciding?.decisions ?? [],
      async render(call) {
        const { params, read } = call;
        const id = params['id']!;
        const record = await read<Row>(one.operation, { [one.parameter]: id });
        const state = record['state'] ?? record['status'] ?? record['governance_state'];
        const body = html`<header class="head">
            <div>
              <h1>${nameOf(record) ?? id}</h1>
              <p class="meta">${typeof state === 'string' && pill(state)}<span class="mono">${id}</span></p>
            </div>
            <div class="acts"><button type="button" data-copy="${id}">Copy uid</button></div>
          </header>
          ${deciding && decisionNotice(call, deciding.done)}
          <div class="stack">
            ${charts[list.place]?.(record) ?? ''}${deciding && (await decideCard(call, list.place, deciding, record))}
            ${card({ title: 'Record' }, recordView(record))}
          </div>`;
        return { title: list.title, crumbs: [[list.title, `/console/${list.place}`], [id]], body };
      },
    }),
  ];
});

async function decideCard(
  call: PageCall,
  place: string,
  { buttons, reason, fields }: RecordDecisions,
  record: Row,
): Promise<Html | false> {
  const offered = buttons(record);
  if (offered.length === 0) return false;
  const form = await decisionForm(call, {
    path: `/console/${place}/${call.params['id']!}`,
    buttons: offered,
    ...(reason !== undefined && { reason }),
    ...(fields && { fields }),
  });
  return form !== undefined && card({ title: 'Your decision' }, html`<div class="pad">${form}</div>`);
}

function columnsOf({ columns, id, place, read }: RecordList): TableColumn<Row>[] {
  return columns.map(([heading, path], index) => ({
    heading,
    isNumber: /^(Rows|Age|Amount|Outstanding|Entries|Number|Version|Revision)/.test(heading),
    cell(row) {
      const value = memberAt(row, path);
      if (index > 0 || !read) return cellOf(path, value);
      return html`<a
        class="${id === 'uid' && 'mono'}"
        href="/console/${place}/${encodeURIComponent(String(row[id]))}"
        >${String(value)}</a
      >`;
    },
  }));
}

function cellOf(path: string, value: unknown): Part {
  if (typeof value === 'string' && /(^|\.)(state|status|governance_state|severity)$/.test(path))
    return pill(value);
  return typeof value === 'object' && value !== null ? JSON.stringify(value).slice(0, 60) : recordView(value);
}

function memberAt(row: Row, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Row | null | undefined)?.[name], row);
}

function nameOf(record: Row): string | undefined {
  for (const name of ['name', 'title', 'batch_reference', 'type', 'action']) {
    const value = record[name];
    if (typeof value === 'string') return value;
  }
  return undefined;
}

function filterForm(
  { place }: RecordList,
  { name, values }: NonNullable<RecordList['filter']>,
  chosen: string | undefined,
): Html {
  return html`<form class="filters" action="/console/${place}">
    <label
      >${name[0]!.toUpperCase()}${name.slice(1)}
      <select name="${name}">
        <option value="">All</option>
        ${values.map((value) => html`<option value="${value}" ${value === chosen && 'selected'}>${value}</option>`)}
      </select></label
    >
    <button type="submit">Filter</button>
  </form>`;
}
