import { html } from '../html.ts';
import { definePage, type Area, type Page } from '../page.ts';
import { recordView } from '../record-view.ts';
import { card } from '../shell.ts';

/** A page that shows the answer of one operation. The answer is not a list. */
type FactsPage = {
  place: string;
  area: Area;
  title: string;
  about: string;
  operation: string;
  given?: (query: Readonly<Record<string, string>>, now: Date) => Readonly<Record<string, unknown>>;
};

const factsPageList: readonly FactsPage[] = [
  {
    place: 'posture',
    area: 'Posture',
    title: 'Posture',
    about: 'Controls of the deployment, with the status of each control.',
    operation: 'infrastructure.posture.get',
  },
];

/** The pages that show the answer of one operation. */
export const factsPages: readonly Page[] = factsPageList.map(
  ({ place, area, title, about, operation, given }) =>
    definePage({
      path: `/console/${place}`,
      area,
      async render({ read, query, now }) {
        const answer = await read<Readonly<Record<string, unknown>>>(operation, given?.(query, now) ?? {});
        const body = html`<header class="head">
            <div>
              <h1>${title}</h1>
              <p class="meta">${about}</p>
            </div>
          </header>
          ${card({ title }, recordView(answer))}`;
        return { title, crumbs: [[title]], body };
      },
    }),
);
