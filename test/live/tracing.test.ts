import type { Server } from 'node:http';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { expect } from 'chai';
import { pino } from 'pino';
import { openAccess } from '#api/process/access.ts';
import { createApp } from '#api/process/app.ts';
import { catalog } from '#api/catalog.ts';
import { createRuns } from '#api/runs.ts';
import { systemClock } from '#lib/core/clock.ts';
import { carryTrace } from '#lib/core/tracing.ts';
import { closeServer, listen, urlOf } from '#lib/ops/listen.ts';
import { createMetrics } from '#lib/ops/metrics.ts';
import { roleUrl } from '#lib/database/roles.ts';
import { poolUse } from '#lib/database/orm.ts';
import { Notices } from '#lib/pipeline/notices.ts';
import { openQueue } from '#lib/pipeline/queue.ts';
import type { Backend } from '../support/backends.ts';
import { buildTenancy } from '../support/build.ts';
import { clientOf } from '../support/client.ts';
import { importTiny } from '../support/import.ts';
import { onEachBackend } from '../support/live.ts';
import { slowed } from '../support/patience.ts';
import { eventually } from '../support/runs.ts';
import { startWorker } from '../support/worker.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';

// API and worker run inside the test's process, so that one exporter receives the spans of both.
onEachBackend('Traces', (live) => {
  const exporter = new InMemorySpanExporter();
  let server: Server;
  let end: () => Promise<void>;

  before(async () => {
    process.kill(live().pid('worker-numerics-1')!, 'SIGSTOP');
    const api = await startApi(live());
    server = api.server;
    const endWorker = await startWorker(live(), {
      lockMs: slowed(5_000),
      thread: '../../workers/process/thread.ts',
    });
    end = async () => {
      await api.close();
      await endWorker();
    };
  });
  after(async () => {
    await end();
    process.kill(live().pid('worker-numerics-1')!, 'SIGCONT');
    for (const global of [trace, context, propagation]) global.disable();
  });

  const submit = async (headers: Record<string, string>) => {
    const tenancy = await buildTenancy(live());
    await importTiny(live(), tenancy.workspace);
    const client = clientOf({ url: urlOf(server) }, tenancy.key);
    const answer = await client.post('/investment/theme-watch/factors', {}, headers);
    expect(answer.status).to.equal(201);
    return answer.body.uid as string;
  };

  it('are neither created nor propagated without an OpenTelemetry SDK', async () => {
    await submit({ traceparent: `00-${TRACE}-${CALLER}-01` });
    expect(carryTrace()).to.deep.equal({});
    expect(exporter.getFinishedSpans()).to.deep.equal([]);
  });

  it('connect the caller, the request and each phase of the job', async () => {
    trace.setGlobalTracerProvider(
      new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }),
    );
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    const uid = await submit({ traceparent: `00-${TRACE}-${CALLER}-01` });
    const spans = await eventually(async () => {
      const all = exporter.getFinishedSpans();
      return all.some(({ name }) => name.startsWith('job ')) && all;
    });
    const named = (name: string) => spans.find((span) => span.name === name)!;
    const parentOf = (name: string) => named(name).parentSpanContext?.spanId;
    const idOf = (name: string) => named(name).spanContext().spanId;
    const request = 'POST /api/v2/investment/theme-watch/factors';
    const job = 'job investment.theme-factors';
    expect(spans.map((span) => span.spanContext().traceId)).to.satisfy((ids: string[]) =>
      ids.every((id) => id === TRACE),
    );
    expect(parentOf(request)).to.equal(CALLER);
    expect(named(request).attributes).to.include({
      'http.request.method': 'POST',
      'http.route': '/api/v2/investment/theme-watch/factors',
      'http.response.status_code': 201,
      'assay.operation': 'investment.theme_watch.factors.create',
    });
    expect(parentOf(job)).to.equal(idOf(request));
    expect(named(job).attributes).to.deep.include({ 'assay.run': uid, 'assay.outcome': 'sealed' });
    for (const phase of ['load', 'compute', 'seal']) expect(parentOf(phase)).to.equal(idOf(job));
  });
});

/** Runs the product's API inside this process. */
async function startApi(live: Backend) {
  const log = pino({ level: 'silent' });
  const databaseUrl = roleUrl(live.ownerUrl, 'api');
  const target = { redisUrl: live.redis?.url, databaseUrl, log };
  const queues = { numerics: openQueue('numerics', target), io: openQueue('io', target) };
  const endings = new Notices(databaseUrl, 'ended', log);
  await endings.open();
  const orm = live.orm('api');
  const draining = new AbortController().signal;
  const runs = createRuns({ orm, queues, endings, clock: systemClock, log, waitMs: 60_000, draining });
  const metrics = createMetrics(() => poolUse(orm));
  const config = { REDIS_URL: live.redis?.url, RATE_LIMIT_FACTOR: 1, ACCESS_TOKEN_S: 900 };
  const access = openAccess({ config, orm, log, metrics });
  const app = createApp({
    catalog,
    access: access.ofOperations,
    oauth: access.ofClients,
    shared: { orm, runs, clock: systemClock, cursorSecret: 'of the test' },
    pages: [],
    log,
    metrics,
    validateResponses: true,
  });
  const server = await listen(app, { host: '127.0.0.1', port: 0, defaultPort: 0, log });
  const close = async () => {
    await closeServer(server);
    await Promise.all(Object.values(queues).map((queue) => queue.close()));
    await endings.close();
    await access.close();
  };
  return { server, close };
}
