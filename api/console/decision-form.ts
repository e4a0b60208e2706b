import type { AcceptedProofs } from '#lib/access/console/proof.ts';
import { html, type Html, type Part } from './html.ts';
import type { PageCall } from './page.ts';

/**
 * A button of a decision form: the name of the decision, its label, and its tone: `primary` for the main decision,
 * `danger` for a grave one.
 */
export type DecisionButton = { name: string; label: string; tone?: 'primary' | 'danger' };

type FormOptions = {
  /** The address of the page. The name of a decision is appended. */
  path: string;
  buttons: readonly DecisionButton[];
  /** The label of the field for the reason; omitted if the decisions take no reason. */
  reason?: string;
  /** Further fields of the form. */
  fields?: Part;
  /** The id of the form, for fields elsewhere on the page. */
  id?: string;
};

/**
 * Returns the form of the decisions that a person can make on a page. The form asks for a passkey or a one-time code if
 * the decision needs one. Leaves out the decisions that the roles of the person do not allow. Returns undefined if no
 * decision is left.
 */
export async function decisionForm(call: PageCall, options: FormOptions): Promise<Html | undefined> {
  const { path, reason, fields = '', id } = options;
  const buttons = options.buttons.filter(({ name }) => call.mayDecide(name));
  const [first] = buttons;
  if (!first) return undefined;
  const proofs = await call.proofs();
  return html`<form
    class="decide"
    ${id !== undefined && html`id="${id}"`}
    method="post"
    action="${path}/${first.name}"
    ${proofs.passkey && html`data-passkey`}
  >
    ${noDefault}<input type="hidden" name="token" value="${call.token}" />${fields}
    ${
      reason !== undefined &&
      html`<label class="grow"
        >${reason}<input
          name="reason"
          type="text"
          maxlength="500"
          autocomplete="off"
          value="${call.refused?.entered?.['reason'] ?? ''}"
      /></label>`
    }
    ${proofFields(proofs)}
    <span class="acts">
      ${buttons.map(
        ({ name, label, tone = '' }) =>
          html`<button class="${tone}" type="submit" formaction="${path}/${name}">${label}</button>`,
      )}
    </span>
  </form>`;
}

/**
 * Returns the fields with which a person confirms a decision. A script asks for the passkey and fills its field; a person
 * who enters a code needs no passkey. `isShort` leaves out the explanation, for forms in the rows of a table.
 */
export function proofFields({ passkey, code }: AcceptedProofs, isShort = false): Html {
  return html`${
    passkey &&
    html`<input type="hidden" name="answer" value="" />
      <p class="dim" data-fault role="status">${!isShort && explanationOf(code)}</p>`
  }${
    code &&
    html`<label
      >One-time code${passkey && ', instead of the passkey'}<input
        class="code"
        name="code"
        type="text"
        inputmode="numeric"
        pattern="[0-9]{6}"
        maxlength="6"
        autocomplete="one-time-code"
        ${!passkey && html`required`}
    /></label>`
  }`;
}

function explanationOf(hasCode: boolean): string {
  return hasCode
    ? 'The browser asks for your passkey, unless you enter a code. Without scripts, enter a code.'
    : 'The browser asks for your passkey. Passkeys need a browser with scripts.';
}

/**
 * The Enter key in a field presses the first button of the form. A disabled first button makes Enter do nothing, so
 * that nobody approves by finishing a text.
 */
const noDefault = html`<button type="submit" disabled hidden></button>`;

/** Returns the message about the decision that the person has just made or tried; nothing if there is none. */
export function decisionNotice({ refused, query }: PageCall, done: Readonly<Record<string, string>>): Html {
  if (refused)
    return html`<section class="notice bad" role="alert" aria-label="Refused">
      <p><b>Refused.</b> ${refused.detail} <code>${refused.code}</code></p>
      ${refused.more ?? ''}
    </section>`;
  const text = done[query['done'] ?? ''];
  if (text === undefined) return html``;
  return html`<section class="notice ok" role="status" aria-label="Done"><p>${text}</p></section>`;
}
