import type { Command } from 'commander';

/** A group of the operator's commands, or a command without a group. */
type Group = { description: string; load(): Promise<{ register(program: Command): void }> };

/** Adds groups to the program, with all their commands. */
export async function registerGroups(program: Command, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const { description, load } = groups[name]!;
    (await load()).register(program);
    program.commands.find((command) => command.name() === name)!.description(description);
  }
}

/** The groups of the operator's commands. A group is loaded only when one of its commands is called. */
export const groups: Record<string, Group> = {
  migrate: {
    description: 'bring the database to the newest schema: roles, tables, queue, privileges',
    load: () => import('./operate/migrate.ts'),
  },
  workspace: {
    description: 'workspaces, the tenants of the service',
    load: () => import('./access/workspace.ts'),
  },
  route: {
    description:
      'write the configuration and the map with which HAProxy sends each request to the cell of its workspace',
    load: () => import('./cells/route.ts'),
  },
  person: {
    description: 'the people of a workspace',
    load: () => import('./access/person.ts'),
  },
  app: {
    description: 'applications, the identities that credentials belong to',
    load: () => import('./access/application.ts'),
  },
  key: {
    description: 'API keys; each key is shown only once, when it is issued',
    load: () => import('./access/key.ts'),
  },
  oauth: {
    description: 'OAuth clients; each secret is shown only once, when it is issued',
    load: () => import('./access/oauth.ts'),
  },
  counterparty: {
    description: 'counterparties: the parties that the workspace deals with',
    load: () => import('./actions/counterparty.ts'),
  },
  project: {
    description: 'research projects of a workspace, based on features',
    load: () => import('./research/project.ts'),
  },
  custodian: {
    description: "custodians: the parties that hold the workspace's securities and confirm settlement",
    load: () => import('./actions/custodian.ts'),
  },
  ceiling: {
    description: 'ceilings: the upper limits of all authorities of a workspace',
    load: () => control('ceiling'),
  },
  role: {
    description: 'roles, whose members may approve',
    load: () => control('role'),
  },
  membership: {
    description: 'memberships: which person has which role',
    load: () => control('membership'),
  },
  binding: {
    description: 'bindings: which application may cast the votes of which person',
    load: () => control('binding'),
  },
  action: {
    description: 'the catalogue of actions, and which of them can be delegated to a machine',
    load: () => control('action'),
  },
  connector: {
    description:
      'connectors: channels to external systems, with their actions, currencies and execution modes',
    load: () => control('connector'),
  },
  identity: {
    description: 'machine identities, each with a responsible person',
    load: () => control('identity'),
  },
  'identity-ceiling': {
    description: 'identity ceilings: the upper limits of all delegations of a machine identity together',
    load: () => control('identity-ceiling'),
  },
  authority: {
    description: 'authorities: the limits within which persons and roles may initiate, approve and release',
    load: () => control('authority'),
  },
  graph: {
    description: 'approval graphs: the persons who must approve an action, in a sequence of nodes',
    load: () => control('graph'),
  },
  policy: {
    description: 'policies: rules that allow or deny an action or require an approval, with test cases',
    load: () => import('./actions/policy.ts'),
  },
  delegation: {
    description: 'delegations to machines: approve, suspend and use them',
    load: () => import('./actions/delegation.ts'),
  },
  govern: {
    description: 'a sample of governed financial actions',
    load: () => import('./actions/govern.ts'),
  },
  obligation: {
    description: 'obligations, and evidence that contradicts them',
    load: () => import('./actions/obligation.ts'),
  },
  portfolio: {
    description: 'portfolios, positions, tax lots and risk',
    load: () => import('./investment/portfolio.ts'),
  },
  backtest: {
    description: 'backtests of strategies',
    load: () => import('./quant/backtest.ts'),
  },
  'netting-set': {
    description: 'netting sets: the recorded terms of agreements, and evidence that contradicts them',
    load: () => import('./investment/netting-set.ts'),
  },
  'tolerance-profile': {
    description:
      'tolerance profiles: the accepted differences between custody observations and expected values',
    load: () => control('tolerance-profile'),
  },
  'settlement-calendar': {
    description: 'settlement calendars: the days on which settlement takes place',
    load: () => control('settlement-calendar'),
  },
  'pre-trade-rules': {
    description: 'pre-trade rules: the limits and lists that the pre-trade controls use',
    load: () => control('pre-trade-rules'),
  },
  batch: {
    description: 'order batches, from import to settlement',
    load: () => import('./actions/batch.ts'),
  },
  exception: {
    description: 'settlement exceptions of order batches',
    load: () => import('./actions/exception.ts'),
  },
  token: {
    description: 'OAuth access tokens of applications',
    load: () => import('./access/token.ts'),
  },
  dataset: {
    description: 'datasets: sets of observations that workspaces read',
    load: () => import('./data/dataset.ts'),
  },
  lineage: {
    description: 'lineage: what a record comes from, and what it leads to',
    load: () => import('./infrastructure/lineage.ts'),
  },
  usage: {
    description: 'usage: meters derived from stored records',
    load: () => import('./infrastructure/usage.ts'),
  },
  entitlement: {
    description: 'data entitlements: the terms on which a workspace may use a dataset',
    load: () => import('./data/entitlement.ts'),
  },
  company: {
    description: 'companies whose metrics the workspace follows',
    load: () => import('./access/company.ts'),
  },
  metric: {
    description: 'metrics that companies report, by period',
    load: () => import('./data/metric.ts'),
  },
  forecast: {
    description: 'forecasts of metrics',
    load: () => import('./forecasting/forecast.ts'),
  },
  simulation: {
    description: 'simulations of the wealth of portfolios',
    load: () => import('./quant/simulation.ts'),
  },
  tournament: {
    description: 'tournaments of forecasting methods, models and strategies',
    load: () => import('./quant/tournament.ts'),
  },
  ledger: {
    description: 'accounts, transactions and sealed balances',
    load: () => import('./ledger/ledger.ts'),
  },
  import: {
    description: 'load data files (CSV, plain or gzip, or Parquet) into datasets',
    load: () => import('./data/import.ts'),
  },
  feature: {
    description: 'features: numbers computed from a dataset for each entity, such as each instrument',
    load: () => import('./research/feature.ts'),
  },
  ai: {
    description: "connections to the customer's own AI providers, with their prices and budgets",
    load: () => import('./ai/ai.ts'),
  },
  audit: {
    description: 'the audit log: a tamper-evident record of completed and refused actions',
    load: () => import('./audit/audit.ts'),
  },
  value: {
    description: "the value of a workspace's financial actions",
    load: () => import('./commercial/value.ts'),
  },
  evidence: {
    description: 'convert evidence packs to other formats; needs no database',
    load: () => import('./trust/evidence.ts'),
  },
  'signing-key': {
    description: 'the keys that sign evidence packs',
    load: () => import('./trust/signing-key.ts'),
  },
  keys: {
    description: 'the keys that encrypt secrets at rest',
    load: () => import('./operate/keys.ts'),
  },
  model: {
    description: 'the model registry: model versions, and the active version of each model in a workspace',
    load: () => import('./models/model.ts'),
  },
  lqm: {
    description: 'numeric models: versions, training, evaluation, approval and serving',
    load: () => import('./models/lqm.ts'),
  },
  qlm: {
    description: 'question models (QLM): versions, suites, evaluation, approval, and questions',
    load: () => import('./qlms/qlm.ts'),
  },
  webhook: {
    description: 'webhooks: URLs that receive events, signed according to Standard Webhooks',
    load: () => import('./events/webhook.ts'),
  },
  workflow: {
    description: 'workflows: sequences of steps, governed by policies and approvals',
    load: () => import('./workflows/workflow.ts'),
  },
  benchmark: {
    description: 'comparisons with other workspaces that take part, by closed month',
    load: () => import('./benchmarking/benchmark.ts'),
  },
  marketplace: {
    description: 'listings of workflows, datasets, models, connectors and policy templates',
    load: () => import('./marketplace/marketplace.ts'),
  },
  doctor: {
    description: 'check this installation, and explain how to fix each problem',
    load: () => import('./operate/doctor.ts'),
  },
  jobs: {
    description: 'runs, and their queue jobs',
    load: () => import('./operate/jobs.ts'),
  },
  seed: {
    description: 'create sample data',
    load: () => import('./operate/seed.ts'),
  },
  verify: {
    description:
      'check the seal of a saved response, an evidence pack, the proof of an audit log entry or of one column of a snapshot, or the votes for a delegation; needs no database and no network',
    load: () => import('./operate/verify.ts'),
  },
  replay: {
    description: 'recompute a sealed run, or the facts of a sealed answer, and compare them with the seal',
    load: () => import('./operate/replay.ts'),
  },
  backup: {
    description:
      'write all data to one file while the service runs; the file is as sensitive as the database',
    load: () => import('./operate/backup.ts'),
  },
  restore: {
    description: 'load a backup into an empty database and bring it to the newest schema',
    load: () => import('./operate/restore.ts'),
  },
  openapi: {
    description: 'print the OpenAPI 3.1 document',
    load: () => import('./operate/openapi.ts'),
  },
  serve: {
    description:
      'run all of Assay in the foreground: database (embedded by default), API, workers, scheduler',
    load: () => import('./operate/serve.ts'),
  },
  demo: {
    description:
      'start Assay with sample data, run the theme factor model, a backtest and a workflow, and verify the seals of the results',
    load: () => import('./operate/demo.ts'),
  },
};

async function control(group: string) {
  return (await import('./actions/control.ts')).commandsOf(group);
}
