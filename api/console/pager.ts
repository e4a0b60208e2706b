import { html, type Html } from './html.ts';

/** Returns the links to the first and the next page of a list. */
export function pager(
  path: string,
  filters: Readonly<Record<string, string>>,
  next: string | null,
  current: string | undefined,
): Html {
  const href = (cursor?: string): string => {
    const query = new URLSearchParams({ ...filters, ...(cursor !== undefined && { cursor }) }).toString();
    return query === '' ? path : `${path}?${query}`;
  };
  if (next === null && current === undefined) return html``;
  return html`<nav class="pager" aria-label="Pages of the list">
    ${current !== undefined && html`<a class="button" href="${href()}">First page</a>`}
    ${next !== null && html`<a class="button" rel="next" href="${href(next)}">Next page</a>`}
  </nav>`;
}
