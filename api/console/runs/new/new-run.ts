import { newConsoleSecret } from '#lib/access/console/session-secret.ts';
import { scopesOf } from '#lib/access/console/duty.ts';
import { Problem, type Fault } from '#lib/core/problem.ts';
import { canonicalHash, sha256 } from '#lib/core/seal.ts';
import { submitRunAsPerson } from '#lib/pipeline/submit-run-as-person.command.ts';
import { bodyCheck } from '../../../derive/checker.ts';
import { exampleOf } from '../../../derive/example.ts';
import { entitlementMissing } from '../../../http/access.ts';
import { runRoutes, type RunRoute } from '../../../run-routes.ts';
import { decisionNotice, proofFields } from '../../decision-form.ts';
import { html, type Html } from '../../html.ts';
import { definePage, type DecisionCall, type PageCall, type Refused, type Shown } from '../../page.ts';
import { card } from '../../shell.ts';
import { table } from '../../table.ts';
import { nameOf } from '../kinds.ts';
import { curlOf } from './curl.ts';
import { entriesOf, requestOf, type Entries } from './entries.ts';
import { fieldsOf } from './fields.ts';
import { faultsView, fieldsView } from './form-view.ts';

/** How long a form that was sent is known, in hours. */
const KEPT_HOURS = 24;

/** The kinds of runs that a person can submit, each with what its operation does. */
export const newRunListPage = definePage({
  path: '/console/new',
  area: 'New run',
  duty: 'submit_runs',
  render({ session }) {
    const scopes = scopesOf(session.person.roles, session.workspace.entitlements);
    const body = html`<header class="head">
        <div>
          <h1>New run</h1>
          <p class="meta">Each kind has a form with the fields of its operation</p>
        </div>
      </header>
      ${card(
        { title: 'Kinds of runs' },
        table(
          'Kinds of runs',
          [
            {
              heading: 'Kind',
              cell: ({ run }: RunRoute) => html`<a href="/console/new/${run.key}">${nameOf(run.key)}</a>`,
            },
            { heading: 'Description', cell: ({ summary }) => html`<span class="wrap">${summary}</span>` },
            { heading: 'Scope', cell: ({ run }) => html`<span class="mono dim">${run.scope}</span>` },
          ],
          runRoutes().filter(({ run }) => scopes.includes(run.scope)),
        ),
      )}`;
    return Promise.resolve({ title: 'New run', crumbs: [['Runs', '/console/runs'], ['New run']], body });
  },
});

/** The form of one kind of run, generated from the schema of its request. */
export const newRunPage = definePage({
  path: '/console/new/:kind',
  area: 'New run',
  duty: 'submit_runs',
  decisions: [
    { name: 'submit', duty: 'submit_runs', act: submit },
    { name: 'curl', duty: 'submit_runs', act: showCurl },
  ],
  async render(call) {
    const route = routeOf(call);
    const { run } = route;
    const fields = fieldsOf(run.request);
    const path = `/console/new/${run.key}`;
    const entries = call.refused?.entered ?? call.shown?.entered ?? presetEntries(call, route);
    const filled = { entries, faults: call.refused?.faults ?? [] };
    const proofs = await call.proofs();
    const body = html`<header class="head">
        <div>
          <h1>New run: ${nameOf(run.key).toLowerCase()}</h1>
          <p class="meta"><span>${route.summary}</span></p>
        </div>
        <div class="acts"><a class="button" href="${path}?example=1">Fill in an example</a></div>
      </header>
      ${decisionNotice(call, {})}${call.shown?.preview ?? ''}
      ${card(
        { title: 'Request', note: html`<span class="mono dim">${run.scope}</span>` },
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
    const crumbs = [['Runs', '/console/runs'], ['New run', '/console/new'], [nameOf(run.key)]] as const;
    return { title: `New run: ${nameOf(run.key).toLowerCase()}`, crumbs, body };
  },
});

async function submit(call: DecisionCall) {
  const route = routeOf(call);
  const { run } = route;
  const read = readForm(call, route);
  if (read.faults.length > 0) return refusedBy(read.faults, call);
  const { request } = read;
  const { person, workspace, environment } = call.session;
  const scopes = scopesOf(person.roles, workspace.entitlements);
  for (const scope of [run.scope, ...route.needs(request)])
    if (!scopes.includes(scope)) throw entitlementMissing(scope);
  const idempotency = {
    operation: `console ${run.key}`,
    key: sha256(call.form['key'] ?? ''),
    fingerprint: canonicalHash(request),
    keptHours: KEPT_HOURS,
  };
  try {
    const outcome = await call.decide(submitRunAsPerson, () => ({
      tenant: { workspace: workspace.uid, environment },
      run,
      request,
      scopes,
      requestId: call.requestId,
      idempotency,
    }));
    if (!outcome.ok) return { code: outcome.code, detail: outcome.detail, entered: call.form };
    await call.dispatch(outcome.result.admitted);
    return { location: `/console/runs/${outcome.result.uid}` };
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    const faults = error.errors.map((fault) => ({ ...fault, pointer: read.placeOf(fault.pointer) }));
    return { code: error.code, detail: error.detail, faults, entered: call.form };
  }
}

function showCurl(call: DecisionCall): Promise<Refused | Shown> {
  const route = routeOf(call);
  const { faults } = readForm(call, route);
  if (faults.length > 0) return Promise.resolve(refusedBy(faults, call));
  // The check of a request fills in its defaults. The command has only the members that the person entered.
  const { request } = requestOf(fieldsOf(route.run.request), call.form);
  return Promise.resolve({ preview: curlView(curlOf(route, request)), entered: call.form });
}

function curlView(text: string): Html {
  return html`<section class="notice ok" role="status" aria-label="The request for curl">
    <p>This command sends the same request. Set API to the URL of the API, and KEY to an API key.</p>
    <pre tabindex="0"><code>${text}</code></pre>
    <button type="button" data-copy="${text}">Copy</button>
  </section>`;
}

function refusedBy(faults: readonly Fault[], { form }: DecisionCall): Refused {
  const count = faults.length === 1 ? 'One field is' : `${faults.length} fields are`;
  return { code: 'validation_failed', detail: `${count} not valid.`, faults, entered: form };
}

/** Returns the request that a form states, and its faults, each at the member of the form. */
function readForm({ form }: DecisionCall, { run }: RunRoute) {
  const { request, faults, placeOf } = requestOf(fieldsOf(run.request), form);
  const found = bodyCheck(run.request)(request).map((fault) => ({
    ...fault,
    pointer: placeOf(fault.pointer),
  }));
  const known = new Set(faults.map(({ pointer }) => pointer));
  return { request, placeOf, faults: [...faults, ...found.filter(({ pointer }) => !known.has(pointer))] };
}

/** Returns the texts of a form that was not sent yet: an example if the address requests one, otherwise none. */
function presetEntries({ query }: PageCall, { run }: RunRoute): Entries {
  if (query['example'] === undefined) return {};
  const fields = fieldsOf(run.request);
  const example = exampleOf(run.request) as Record<string, unknown>;
  const required = fields.filter(({ isRequired }) => isRequired).map(({ member }) => member);
  const shown =
    required.length === 0 ? example : Object.fromEntries(required.map((name) => [name, example[name]]));
  return entriesOf(fields, shown);
}

function routeOf({ params }: PageCall): RunRoute {
  const route = runRoutes().find(({ run }) => run.key === params['kind']);
  if (!route) throw new Problem('not_found', 'There is no such kind of run.');
  return route;
}
