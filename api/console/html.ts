/** Markup that is complete and safe to print. Only `html`, `raw` and `data` create it. */
export class Html {
  readonly markup: string;
  constructor(markup: string) {
    this.markup = markup;
  }
}

/** A value that a template prints. Text and numbers are escaped; null, undefined and false print nothing. */
export type Part = Html | string | number | bigint | null | undefined | false | readonly Part[];

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for the content of an element and for a quoted attribute. */
export function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character]!);
}

/** A template whose values are escaped, unless they are markup of another template. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  let markup = texts[0]!;
  for (const [index, part] of parts.entries()) markup += print(part) + texts[index + 1]!;
  return new Html(markup);
}

/** Marks text as markup. Used only for the results of chart functions, which escape their labels. */
export function raw(markup: string): Html {
  return new Html(markup);
}

/** Returns a data block for a script. A data block runs nothing, and no value can end it. */
export function data(value: unknown): Html {
  return new Html(
    `<script type="application/json">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`,
  );
}

function print(part: Part): string {
  if (part instanceof Html) return part.markup;
  if (Array.isArray(part)) return part.map(print).join('');
  if (part === null || part === undefined || part === false) return '';
  return escape(String(part));
}
