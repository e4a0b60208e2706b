import { systemClock } from '#lib/core/clock.ts';
import { readConfig } from '#lib/core/config.ts';
import { returnUnusedMemory } from '#lib/core/heap.ts';
import { createLog, endOnCrash } from '#lib/core/log.ts';
import { onShutdown } from '#lib/core/shutdown.ts';
import { closeConsoleSession } from '#lib/access/console/close-session.command.ts';
import { decisionChallenge, registrationChallenge, signInChallenge } from '#lib/access/console/challenges.ts';
import { governInSession, proofsAccepted } from '#lib/access/console/govern-in-session.ts';
import { finishFlow, startFlow } from '#lib/access/console/oidc-flows.ts';
import { CONSOLE_PORT } from '#lib/access/console/link-address.ts';
import { openProvider } from '#lib/access/oidc/provider.ts';
import { oidcSettings } from '#lib/access/oidc/settings.ts';
import { signInWithPasskey } from '#lib/access/passkeys/sign-in-with-passkey.command.ts';
import { openConsoleSession } from '#lib/access/console/open-session.command.ts';
import { serviceClassLimits } from '#lib/database/base.ts';
import { codeKey, databaseUrl, directUrl, isPooled, keptStatements } from '#lib/database/locate.ts';
import { askDirectly, openOrm, poolUse } from '#lib/database/orm.ts';
import { idleLimitsMs, silenceLimitsMs, statementLimitsMs } from '#lib/database/time-limits.ts';
import { govern } from '#lib/governance/govern.ts';
import { createHealth } from '#lib/ops/health.ts';
import { closeServer, listen, urlOf } from '#lib/ops/listen.ts';
import { createMetrics } from '#lib/ops/metrics.ts';
import { openOps } from '#lib/ops/server.ts';
import { Notices } from '#lib/pipeline/notices.ts';
import { openQueue, pingQueue, redispatch } from '#lib/pipeline/queue.ts';
import { catalog } from '../catalog.ts';
import { closeComputing } from '../compute.ts';
import { createRuns } from '../runs.ts';
import { createConsole, type Decisions } from './app.ts';
import { createReads } from './reads.ts';
import { isLoopback } from './requests.ts';
import type { Oidc } from './sign-in/oidc-routes.ts';
import type { Sessions } from './sign-in/routes.ts';

/** The largest number of requests to sign in at the identity provider that an address can make in a minute. */
const OIDC_REQUESTS_PER_MINUTE = 60;

const config = readConfig();
const log = createLog('console', config.LOG_LEVEL);
endOnCrash(log);
if (!isLoopback(config.CONSOLE_HOST) && !config.CONSOLE_URL?.startsWith('https:'))
  endWith(new Error('a console that listens on other than a loopback address needs CONSOLE_URL with https'));

const draining = new AbortController();
const url = await databaseUrl(config, 'console');
const direct = await directUrl(config, 'console');
const name = `assay console ${process.pid}`;
const orm = openOrm(url, config.DATABASE_POOL, name, {
  ...keptStatements(config),
  statementMs: statementLimitsMs.apiRead,
  idleMs: idleLimitsMs.api,
  silentMs: silenceLimitsMs.api,
  connectionMs: config.DATABASE_WAIT_MS,
});
const target = { redisUrl: config.REDIS_URL, databaseUrl: direct, log };
const queues = { numerics: openQueue('numerics', target), io: openQueue('io', target) };
const endings = new Notices(direct, 'ended', log, name);
await endings.open();
const runs = createRuns({
  orm,
  queues,
  endings,
  clock: systemClock,
  log,
  waitMs: config.RUN_WAIT_MS,
  draining: draining.signal,
});

const means = { orm, key: await codeKey(config), clock: systemClock };

const sessions: Sessions = {
  async open(link, requestId) {
    const request = { actor: { kind: 'system' as const }, clock: systemClock, requestId };
    const outcome = await govern(orm, openConsoleSession, { link }, request);
    return outcome.ok ? { ok: true, secret: outcome.result.secret } : { ok: false, detail: outcome.detail };
  },
  async openWithPasskey(answer, { party, environment }, requestId) {
    const request = { actor: { kind: 'system' as const }, clock: systemClock, requestId };
    const outcome = await govern(orm, signInWithPasskey, { party, answer, environment }, request);
    return outcome.ok ? { ok: true, secret: outcome.result.secret } : { ok: false, detail: outcome.detail };
  },
  challenge: (party) => signInChallenge(means, party),
  registration: (session, ceremony) => registrationChallenge(means, session, ceremony),
  async close({ person, workspace, environment }, { secret, everywhere }, requestId) {
    const actor = { kind: 'person' as const, uid: person.uid };
    const tenant = { workspace: workspace.uid, environment };
    await govern(
      orm,
      closeConsoleSession,
      { session: secret, person: person.uid, tenant, everywhere },
      { actor, clock: systemClock, requestId },
    );
  },
};

const decisions: Decisions = {
  codeKey: means.key,
  govern: (session, command, inputOf, confirmation) =>
    governInSession(means, session, command, inputOf, confirmation),
  dispatch: (admitted) => runs.dispatch(admitted),
  async dispatchAgain(run) {
    try {
      const { handedOver } = await redispatch(queues[run.queue], run);
      return handedOver ? 'dispatched' : 'alive';
    } catch (error) {
      log.warn({ err: error, run: run.uid }, 'the queue is unreachable; the scheduler will dispatch the run');
      return 'unreachable';
    }
  },
  proofs: (session) => proofsAccepted(means, session),
  challenge: (session, given) => decisionChallenge(means, session, given),
};

const settings = await oidcSettings(config).catch(endWith);
const provider = settings && openProvider(settings, { clock: systemClock });
const flows = provider && { orm, clock: systemClock, provider };
const oidc: Oidc | undefined = flows && {
  name: flows.provider.name,
  requestsPerMinute: OIDC_REQUESTS_PER_MINUTE * config.RATE_LIMIT_FACTOR,
  start: (wish, redirectUri) => startFlow(flows, wish, redirectUri),
  finish: (answer) => finishFlow(flows, answer),
  signOutUrl: () => flows.provider.signOutUrl(),
};

const shared = { orm, runs, clock: systemClock, cursorSecret: new URL(url).password };
const app = createConsole({
  publicUrl: config.CONSOLE_URL,
  reads: createReads(catalog, shared),
  sessions,
  decisions,
  oidc,
  requestsPerMinute: (serviceClass) => serviceClassLimits[serviceClass].requests * config.RATE_LIMIT_FACTOR,
  ask: (text, values) => askDirectly(orm, text, values),
  clock: systemClock,
  log,
  endings,
  draining: draining.signal,
});
const where = { host: config.CONSOLE_HOST, port: config.CONSOLE_PORT, defaultPort: CONSOLE_PORT };
const server = await listen(app, { ...where, requestMs: config.REQUEST_MS, log }).catch(endWith);

const metrics = createMetrics(() => poolUse(orm));
const health = createHealth({
  orm,
  queue: () => pingQueue(queues.numerics),
  isPooled: isPooled(config),
  notices: () => endings.isListening,
  isDraining: () => draining.signal.aborted,
});
const ops = await openOps({ config, defaultPort: 3002, health, metrics, log });
const ownUrl = config.CONSOLE_URL ?? urlOf(server);
log.info({ url: ownUrl, ops: urlOf(ops) }, 'console ready');
returnUnusedMemory();
process.send?.({ ready: true, url: ownUrl, opsUrl: urlOf(ops) });
process.send?.('ready');

onShutdown(log, config.DRAIN_MS, async () => {
  draining.abort();
  await Promise.all([server, ops].map(closeServer));
  await Promise.all(Object.values(queues).map((queue) => queue.close()));
  await endings.close();
  await provider?.close();
  await closeComputing();
  await orm.close();
});

/** Exits with a one-sentence message, for faults that the operator has to resolve, such as a port that is in use. */
function endWith(error: Error): never {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
