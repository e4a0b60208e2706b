import { newConsoleSecret } from '#lib/access/console/session-secret.ts';
import type { Scope } from '#lib/core/scope.ts';
import { decisionNotice, proofFields } from '../../decision-form.ts';
import { html, type Html } from '../../html.ts';
import type { PageCall } from '../../page.ts';
import { card } from '../../shell.ts';
import type { Entries } from './entries.ts';
import type { Field } from './fields.ts';
import { faultsView, fieldsView } from './form-view.ts';

type RunFormView = {
  path: string;
  title: string;
  summary: string;
  scope: Scope;
  fields: readonly Field[];
  /** The texts of a form that was not sent yet. */
  preset: Entries;
};

/** Returns the page of the form of a new run, with the faults of the form that the person has just sent. */
export async function runForm(
  call: PageCall,
  { path, title, summary, scope, fields, preset }: RunFormView,
): Promise<Html> {
  const entries = call.refused?.entered ?? call.shown?.entered ?? preset;
  const filled = { entries, faults: call.refused?.faults ?? [] };
  const proofs = await call.proofs();
  return html`<header class="head">
      <div>
        <h1>${title}</h1>
        <p class="meta"><span>${summary}</span></p>
      </div>
      <div class="acts"><a class="button" href="${path}?example=1">Fill in an example</a></div>
    </header>
    ${decisionNotice(call, {})}${call.shown?.preview ?? ''}
    ${card(
      { title: 'Request', note: html`<span class="mono dim">${scope}</span>` },
      html`<form
        class="new-run"
        method="post"
        action="${path}/submit"
        ${proofs.passkey && html`data-passkey`}
      >
        <input type="hidden" name="token" value="${call.token}" />
        <input type="hidden" name="key" value="${entries['key'] ?? newConsoleSecret()}" />
        ${faultsView(fields, filled)}
        <div class="fields">
          ${fields.length === 0 ? html`<p class="dim">The request has no fields.</p>` : fieldsView(fields, filled)}
        </div>
        <div class="proof">${proofFields(proofs)}</div>
        <span class="acts">
          <button class="primary" type="submit">Submit the run</button>
          <button type="submit" formaction="${path}/curl" formnovalidate>Show as curl</button>
        </span>
      </form>`,
    )}`;
}

/** Returns the message with the curl command that sends the request of a form. */
export function curlView(text: string): Html {
  return html`<section class="notice ok" role="status" aria-label="The request for curl">
    <p>This command sends the same request. Set API to the URL of the API, and KEY to an API key.</p>
    <pre tabindex="0"><code>${text}</code></pre>
    <button type="button" data-copy="${text}">Copy</button>
  </section>`;
}
