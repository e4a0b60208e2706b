import { html, type Html, type Part } from './html.ts';

/** A column of a table: its heading, and the cell of a row. Numbers are aligned at the right. */
export type TableColumn<Row> = {
  readonly heading: string;
  readonly isNumber?: boolean;
  cell(row: Row, index: number): Part;
};

/** Returns a table that scrolls sideways on narrow screens. The first column names the row. */
export function table<Row>(
  caption: string,
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
  className = '',
): Html {
  return html`<section class="scroll" tabindex="0" aria-label="Table: ${caption}">
    <table class="${className}">
      <caption class="vh">
        ${caption}
      </caption>
      <thead>
        <tr>
          ${columns.map(
            ({ heading, isNumber }) =>
              html`<th scope="col" ${isNumber && html` class="num"`}>${heading}</th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row, index) =>
            html`<tr>
              ${columns.map(({ isNumber, cell }, column) => cellOf(cell(row, index), isNumber, column === 0))}
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

function cellOf(content: Part, isNumber: boolean | undefined, isFirst: boolean): Html {
  if (isFirst) return html`<th scope="row" ${isNumber && html` class="num"`}>${content}</th>`;
  return html`<td ${isNumber && html` class="num"`}>${content}</td>`;
}
