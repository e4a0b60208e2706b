import { catalog } from '#api/catalog.ts';
import { meanings, readers, settings, type Config } from '#lib/core/config.ts';
import { createMetrics } from '#lib/ops/metrics.ts';
import { addQueueMetrics } from '#lib/ops/queue-metrics.ts';
import { events, manifests, prefixes, productTexts, products, scopes } from '#lib/products.ts';
import type { RunKind } from '#lib/core/run.ts';
import { runs } from '#lib/runs.ts';
import { code, page, plain, sentence, table } from './markdown.ts';

/** Returns the page of the environment variables. */
export function configurationPage(): string {
  const rows = (Object.keys(settings) as (keyof Config)[]).map((name) => {
    const setting = settings[name] as Setting;
    return [
      code(name),
      defaultOf(setting),
      allowed(setting),
      processesOf(readers[name]),
      plain(meanings[name]),
    ];
  });
  return page(
    'Configuration',
    'Assay reads these environment variables once, at the start of each process. It lists all faults together and exits if a value is not valid. An empty value counts as not set. [Roles and secrets](../operate/roles-and-secrets.md) says which process needs which secret.',
    table(['Variable', 'Default', 'Allowed', 'Read by', 'Meaning'], rows),
  );
}

type Setting = {
  default?: unknown;
  type?: string;
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
};

function defaultOf({ default: value }: Setting): string {
  return value === undefined || value === '' ? '' : code(String(value));
}

function allowed({ type, enum: values, minimum, maximum, minLength }: Setting): string {
  if (values) return values.map(code).join(', ');
  if (type === 'boolean') return '`true`, `false`';
  if (minimum !== undefined) return maximum === undefined ? `${minimum} or more` : `${minimum} to ${maximum}`;
  return minLength !== undefined && minLength > 1 ? `${minLength} characters or more` : 'text';
}

function processesOf(parts: readonly string[]): string {
  if (parts.length === 0) return 'the commands that start the processes';
  return parts.length === 6 ? 'all' : parts.join(', ');
}

/** Returns the page of every problem code, grouped by the product that declares the code. */
export function problemsPage(): string {
  const declaring = manifests.filter(({ problems = {} }) => Object.keys(problems).length > 0);
  return page(
    'Problem codes',
    'Every error is an `application/problem+json` document (RFC 9457) with a stable `code`. Each code has one HTTP status. The service explains each code at `/problems/<code>`.',
    ...declaring.flatMap(({ folder, problems = {} }) => [
      `## ${folder}`,
      table(
        ['Code', 'Status', 'Title'],
        Object.entries(problems).map(([name, { status, title }]) => [
          code(name),
          String(status),
          plain(title),
        ]),
      ),
    ]),
  );
}

/** Returns the page of every scope, with the operations that need it. */
export function scopesPage(): string {
  return page(
    'Scopes',
    'Each operation needs one scope. A request passes if the credential, its application and the workspace all have the scope.',
    scopes
      .map((scope) => {
        const own = catalog.filter((operation) => operation.scope === scope);
        const operations = own.map(({ method, path }) => `  - ${code(`${method} ${path}`)}`);
        return [`- ${code(scope)}${own.length === 0 ? ': no operation yet' : ''}`, ...operations].join('\n');
      })
      .join('\n'),
  );
}

/** Returns the page of every operation, by product. */
export function operationsPage(): string {
  const parts = products.flatMap((product) => {
    const own = catalog.filter((operation) => operation.product === product);
    if (own.length === 0) return [];
    const rows = own.map(({ method, path, scope, summary }) => [
      code(`${method} ${path}`),
      scope === null ? '' : code(scope),
      plain(summary),
    ]);
    return [
      `## ${product}`,
      plain(sentence(productTexts[product] ?? '')),
      table(['Operation', 'Scope', 'Summary'], rows),
    ];
  });
  return page(
    'Operations',
    'Paths are below `/api/v2`. The OpenAPI document at `/api/v2/openapi.json`, shown at `/docs`, has parameters, bodies, answers and examples.',
    ...parts.filter((part) => part !== ''),
  );
}

/** Returns the page of every kind of run. */
export function runsPage(): string {
  return page(
    'Runs',
    'A run is a computation in the background with a sealed result. [Sealed runs](../concepts/sealed-run.md) explains the states of a run. The OpenAPI document has the input, the output and the attachments of each kind.',
    table(
      ['Run', 'Submitted at', 'Scope', 'Queue', 'Model', 'Time limit', 'Problems'],
      Object.values<RunKind>(runs).map((run) => [
        code(run.key),
        submissionOf(run),
        code(run.scope),
        run.queue,
        code(run.model),
        `${run.timeoutMs / 1_000} s`,
        [...run.refusals, ...run.problems].map(code).join(', '),
      ]),
    ),
  );
}

function submissionOf({ submission, resource, isScheduled }: RunKind): string {
  return isScheduled ? 'by the scheduler' : code(`POST ${submission ?? resource}`);
}

/** Returns the page of every event, with its members. */
export function eventsPage(): string {
  return page(
    'Events',
    'Each event is created from an entry of the audit log. A credential can read an event if it has the scope of the event. `Members` lists the members that `details` of the event can have. `Outcome` is `done` for a completed action and `refused` for a refused action. [Events and webhooks](../guides/webhooks.md) shows how to read and receive them.',
    table(
      ['Event', 'Scope', 'Meaning', 'Members', 'Outcome'],
      events.map(({ op, scope, event }) => {
        const {
          about,
          members = [],
          outcome = 'done',
        } = typeof event === 'string' ? { about: event } : event;
        return [
          code(op),
          code(scope),
          plain(sentence(about)),
          members.map(code).join(', '),
          outcome === 'either' ? 'done or refused' : outcome,
        ];
      }),
    ),
  );
}

/** Returns the page of every metric that Assay defines. */
export function metricsPage(): string {
  const metrics = createMetrics(() => ({ in_use: 0, idle: 0, waiting: 0 }));
  addQueueMetrics(metrics, async () => []);
  type Declared = { name: string; help: string; type: string; labelNames: string[] };
  const all = (metrics.registry.getMetricsAsArray() as unknown as Declared[])
    .filter(({ name }) => !/^assay_(process|nodejs)_/.test(name))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  return page(
    'Metrics',
    "Each process serves `/metrics` in the Prometheus format on its operators' listener. The page also has metrics of the process itself, such as `assay_process_resident_memory_bytes`.",
    table(
      ['Metric', 'Type', 'Labels', 'Meaning'],
      all.map(({ name, type, labelNames, help }) => [
        code(name),
        type,
        labelNames.map(code).join(', '),
        plain(sentence(help)),
      ]),
    ),
  );
}

/** Returns the page of the prefixes of public ids. */
export function identifiersPage(): string {
  return page(
    'Identifiers',
    'A public id is a prefix, an underscore, and a UUIDv7 in 26 characters of Crockford base32. Ids with the same prefix sort by time of creation. `counterparty_id`, `company_id`, `project_id` and `dataset_id` are integers.',
    table(
      ['Prefix', 'Resource'],
      Object.entries(prefixes)
        .map(([noun, prefix]) => [
          code(`${prefix}_`),
          noun.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
        ])
        .sort(([one], [other]) => (one! < other! ? -1 : 1)),
    ),
  );
}
