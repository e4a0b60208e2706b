import { Command } from 'commander';
import { Problem } from '#lib/core/problem.ts';
import { version } from '#lib/core/version.ts';
import { Refusal } from '#lib/core/refusal.ts';

const REFUSED = 1;
const USAGE = 2;

/** Runs the operator's command line. Each group of commands is loaded only when it is called. */
const groups: Record<string, () => Promise<{ register(program: Command): void }>> = {
  migrate: () => import('./operate/migrate.ts'),
  workspace: () => import('./access/workspace.ts'),
  person: () => import('./access/person.ts'),
  app: () => import('./access/application.ts'),
  key: () => import('./access/key.ts'),
  oauth: () => import('./access/oauth.ts'),
  counterparty: () => import('./actions/counterparty.ts'),
  project: () => import('./research/project.ts'),
  custodian: () => import('./actions/custodian.ts'),
  ceiling: () => control('ceiling'),
  role: () => control('role'),
  membership: () => control('membership'),
  binding: () => control('binding'),
  action: () => control('action'),
  connector: () => control('connector'),
  identity: () => control('identity'),
  'identity-ceiling': () => control('identity-ceiling'),
  authority: () => control('authority'),
  graph: () => control('graph'),
  policy: () => import('./actions/policy.ts'),
  delegation: () => import('./actions/delegation.ts'),
  govern: () => import('./actions/govern.ts'),
  obligation: () => import('./actions/obligation.ts'),
  'netting-set': () => import('./investment/netting-set.ts'),
  'tolerance-profile': () => control('tolerance-profile'),
  'settlement-calendar': () => control('settlement-calendar'),
  'pre-trade-rules': () => control('pre-trade-rules'),
  batch: () => import('./actions/batch.ts'),
  exception: () => import('./actions/exception.ts'),
  token: () => import('./access/token.ts'),
  dataset: () => import('./data/dataset.ts'),
  company: () => import('./access/company.ts'),
  metric: () => import('./data/metric.ts'),
  forecast: () => import('./forecasting/forecast.ts'),
  ledger: () => import('./ledger/ledger.ts'),
  import: () => import('./data/import.ts'),
  feature: () => import('./research/feature.ts'),
  ai: () => import('./ai/ai.ts'),
  audit: () => import('./audit/audit.ts'),
  value: () => import('./commercial/value.ts'),
  evidence: () => import('./trust/evidence.ts'),
  'signing-key': () => import('./trust/signing-key.ts'),
  keys: () => import('./operate/keys.ts'),
  model: () => import('./models/model.ts'),
  lqm: () => import('./models/lqm.ts'),
  webhook: () => import('./events/webhook.ts'),
  workflow: () => import('./workflows/workflow.ts'),
  doctor: () => import('./operate/doctor.ts'),
  jobs: () => import('./operate/jobs.ts'),
  seed: () => import('./operate/seed.ts'),
  verify: () => import('./operate/verify.ts'),
  replay: () => import('./operate/replay.ts'),
  backup: () => import('./operate/backup.ts'),
  restore: () => import('./operate/restore.ts'),
  openapi: () => import('./operate/openapi.ts'),
  serve: () => import('./operate/serve.ts'),
  demo: () => import('./operate/demo.ts'),
};

async function control(group: string) {
  return (await import('./actions/control.ts')).commandsOf(group);
}

const program = new Command('assay')
  .description('Assay, for operators. Add --help to any command.')
  .version(version)
  .enablePositionalOptions() // so that --version of a model is not read as the version of Assay
  .showHelpAfterError()
  .exitOverride((error) => {
    process.exit(error.exitCode === 0 ? 0 : USAGE);
  });

const requested = process.argv[2];
const wanted =
  requested !== undefined && Object.hasOwn(groups, requested) ? [requested] : Object.keys(groups);
for (const name of wanted) (await groups[name]!()).register(program);

// Node prints an uncaught error with everything that a library attached to it, so the error is caught here.
process.on('uncaughtException', (error: unknown) => {
  tellOf(error);
  process.exit();
});
try {
  await program.parseAsync();
} catch (error) {
  tellOf(error);
}

function tellOf(error: unknown): void {
  const known = error instanceof Refusal || error instanceof Problem;
  process.stderr.write(known ? `${error.code}: ${detailOf(error)}\n` : `${messageOf(error)}\n`);
  process.exitCode = error instanceof Refusal ? error.status : REFUSED;
}

function detailOf(error: Refusal | Problem): string {
  return error instanceof Problem ? error.detail : error.message;
}

function messageOf(error: unknown): string {
  return error instanceof Error
    ? process.env['LOG_LEVEL'] === 'debug'
      ? error.stack!
      : error.message
    : String(error);
}
