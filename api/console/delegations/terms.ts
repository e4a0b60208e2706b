import { isObject } from '#lib/core/is-object.ts';
import { canonicalJson } from '#lib/core/seal.ts';
import { termsHash, type DelegationTerms } from '#lib/actions/delegations/terms.ts';
import { html, type Html } from '../html.ts';
import { table } from '../table.ts';
import { minor, words } from '../format.ts';

/** One term that differs: its name, and its texts on both sides. */
export type TermChange = { name: string; before: string; after: string };

/** Returns the terms that differ between two sets of terms. */
export function changedTerms(before: DelegationTerms, after: DelegationTerms): TermChange[] {
  const [one, other] = [flat(before), flat(after)];
  return [...new Set([...one.keys(), ...other.keys()])].flatMap((name) => {
    const [was, is] = [one.get(name) ?? '–', other.get(name) ?? '–'];
    return was === is ? [] : [{ name: words(name), before: was, after: is }];
  });
}

function flat(terms: DelegationTerms): Map<string, string> {
  const { budgets, ...rest } = terms;
  const amounts = Object.entries(budgets).map(([name, value]): [string, string] => [
    name.replace('_minor', ''),
    `${minor(value, terms.amount_scale)} ${terms.currency}`,
  ]);
  return new Map([
    ...Object.entries(rest).map(([name, value]): [string, string] => [name, String(value ?? '–')]),
    ...amounts,
  ]);
}

/** Returns the table of terms that differ. */
export function changesTable(changes: readonly TermChange[], headings: readonly [string, string]): Html {
  return table(
    'Terms that differ',
    [
      { heading: 'Term', cell: ({ name }) => name },
      { heading: headings[0], cell: ({ before }) => before },
      { heading: headings[1], cell: ({ after }) => after },
    ],
    changes,
    'tight',
  );
}

/** The maximum length of the terms in a form, in characters. */
const SEEN_MAX = 4_000;
/** The largest number of decimal places that is shown for a currency. */
const SCALE_MAX = 20;

/** Returns the form fields that identify the terms shown on the page: the hash of the terms, and the terms. */
export function seenTermsFields(terms: DelegationTerms, hash: string): Html {
  return html`<input type="hidden" name="terms_hash" value="${hash}" /><input
      type="hidden"
      name="terms"
      value="${canonicalJson(terms)}"
    />`;
}

/**
 * Returns the terms that a form showed to the person; undefined if the form does not contain terms whose hash is the
 * given hash. The form comes from a browser, so the members that are shown are checked.
 */
export function seenTerms(form: Readonly<Record<string, string>>): DelegationTerms | undefined {
  const text = form['terms'] ?? '';
  if (text.length > SEEN_MAX) return undefined;
  try {
    const terms: unknown = JSON.parse(text);
    return areTerms(terms) && termsHash(terms) === form['terms_hash'] ? terms : undefined;
  } catch {
    return undefined;
  }
}

function areTerms(value: unknown): value is DelegationTerms {
  if (!isObject(value)) return false;
  const { budgets, amount_scale: scale, ...rest } = value;
  return (
    isObject(budgets) &&
    Object.values(budgets).every((amount) => typeof amount === 'number') &&
    typeof scale === 'number' &&
    scale >= 0 &&
    scale <= SCALE_MAX &&
    Object.values(rest).every((each) => each === null || typeof each !== 'object')
  );
}
