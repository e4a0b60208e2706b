import type { RunnableModelList } from '#lib/client/client.ts';
import { scopesOf } from '#lib/access/console/duty.ts';
import { Problem } from '#lib/core/problem.ts';
import { bodyCheck } from '../../../derive/checker.ts';
import { exampleOf } from '../../../derive/example.ts';
import { runRoutes, type RunRoute } from '../../../run-routes.ts';
import { html, type Html } from '../../html.ts';
import { definePage, type DecisionCall, type PageCall, type Refused, type Shown } from '../../page.ts';
import { card } from '../../shell.ts';
import { empty } from '../../states.ts';
import { table } from '../../table.ts';
import { nameOf } from '../kinds.ts';
import { curlOf } from './curl.ts';
import { entriesOf, requestOf, type Entries } from './entries.ts';
import { fieldsOf } from './fields.ts';
import { curlView, runForm } from './run-form.ts';
import { refusedBy, submitForm } from './submission.ts';

/** The most models that the page reads. */
const MODELS_MAX = 100;

/** The kinds of runs that a person can submit, each with what its operation does. */
export const newRunListPage = definePage({
  path: '/console/new',
  area: 'New run',
  duty: 'submit_runs',
  async render({ session, read }) {
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
      )}
      ${scopes.includes('quant:models:run') && scopes.includes('quant:models:read') && (await modelsCard(read))}`;
    return { title: 'New run', crumbs: [['Runs', '/console/runs'], ['New run']], body };
  },
});

/** Returns the card of the models that only their own form runs: statistical models, and models of the workspace. */
async function modelsCard(read: PageCall['read']): Promise<Html> {
  const { data } = await read<RunnableModelList>('quant.models.list', { state: 'active', limit: MODELS_MAX });
  const shown = data.filter(({ kind }) => kind !== 'analytic');
  return html`<div class="after">
    ${card(
      { title: 'Models', note: 'active models with a form of their own' },
      shown.length === 0
        ? empty('No model is active.')
        : table(
            'Models',
            [
              {
                heading: 'Model',
                cell: ({ key }) =>
                  html`<a class="mono" href="/console/new/models/${encodeURIComponent(key)}">${key}</a>`,
              },
              { heading: 'Kind', cell: ({ kind }) => kind },
              { heading: 'Title', cell: ({ title }) => html`<span class="wrap">${title}</span>` },
              { heading: 'Version', cell: ({ serving_version }) => serving_version },
            ],
            shown,
          ),
    )}
  </div>`;
}

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
    const title = `New run: ${nameOf(run.key).toLowerCase()}`;
    const body = await runForm(call, {
      path: `/console/new/${run.key}`,
      title,
      summary: route.summary,
      scope: run.scope,
      fields: fieldsOf(run.request),
      preset: presetEntries(call, route),
    });
    const crumbs = [['Runs', '/console/runs'], ['New run', '/console/new'], [nameOf(run.key)]] as const;
    return { title, crumbs, body };
  },
});

async function submit(call: DecisionCall) {
  const route = routeOf(call);
  const { run } = route;
  const { request, faults, placeOf } = readForm(call, route);
  if (faults.length > 0) return refusedBy(faults, call);
  const needs = [run.scope, ...route.needs(request)];
  return submitForm(call, { operation: run.key, run, request, needs, placeOf });
}

function showCurl(call: DecisionCall): Promise<Refused | Shown> {
  const route = routeOf(call);
  const { faults } = readForm(call, route);
  if (faults.length > 0) return Promise.resolve(refusedBy(faults, call));
  // The check of a request fills in its defaults. The command has only the members that the person entered.
  const { request } = requestOf(fieldsOf(route.run.request), call.form);
  return Promise.resolve({ preview: curlView(curlOf(route, request)), entered: call.form });
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
