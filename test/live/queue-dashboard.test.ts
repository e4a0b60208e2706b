import { UnrecoverableError } from 'bullmq';
import { expect } from 'chai';
import { pino } from 'pino';
import { roleUrl } from '#lib/database/roles.ts';
import { openConsumer, openQueue, type TicketQueue } from '#lib/pipeline/queue.ts';
import { OPS_PASSWORD, type Backend } from '../support/backends.ts';
import { onEachBackend } from '../support/live.ts';
import { slowed } from '../support/patience.ts';
import { eventually } from '../support/runs.ts';

onEachBackend('The queue dashboard', (live) => {
  let queue: TicketQueue;
  const target = (backend: Backend) => ({
    redisUrl: backend.redis?.url,
    databaseUrl: roleUrl(backend.ownerUrl, 'worker'),
    log: pino({ level: 'silent' }),
  });
  // The io worker of the stack is stopped, because it would otherwise process the jobs and change their
  // state.
  before(() => {
    process.kill(live().pid('worker-io')!, 'SIGSTOP');
    queue = openQueue('io', target(live()));
  });
  after(async () => {
    process.kill(live().pid('worker-io')!, 'SIGCONT');
    await queue.close();
  });

  const ask = (path: string, method = 'GET', password: string | undefined = OPS_PASSWORD) =>
    fetch(`${live().opsUrl}/queues${path}`, {
      method,
      headers: { authorization: `Basic ${Buffer.from(`ops:${password}`).toString('base64')}` },
    });
  const ticket = { uid: 'of-a-test', workspace: 'none', environment: 'sandbox' as const };

  it('requires the password on every path', async () => {
    for (const path of ['', '/', '/api/queues', '/static/favicon.ico']) {
      expect((await ask(path, 'GET', 'wrong')).status, path).to.equal(401);
      expect((await fetch(`${live().opsUrl}/queues${path}`)).status, path).to.equal(401);
    }
    expect((await ask('/api/queues')).status).to.equal(200);
  });

  it('forbids every load from another host by its content security policy', async () => {
    const page = await ask('/');
    const html = await page.text();
    expect(html).to.include('<div id="root">');
    expect(html).not.to.match(/(?:href|src)="(?:https?:)?\/\//);
    expect(page.headers.get('content-security-policy')).to.include("default-src 'self'");
  });

  it("rejects changes requested by another site's page", async () => {
    const authorization = `Basic ${Buffer.from(`ops:${OPS_PASSWORD}`).toString('base64')}`;
    const answer = await fetch(`${live().opsUrl}/queues/api/queues/io/pause`, {
      method: 'PUT',
      headers: { authorization, 'sec-fetch-site': 'cross-site' },
    });
    expect(answer.status).to.equal(403);
  });

  it('retries a job that failed', async () => {
    await queue.add('of-a-test', ticket, { jobId: 'test-failing' });
    const failing = openConsumer(
      'io',
      async () => {
        throw new UnrecoverableError('on purpose');
      },
      { concurrency: 1, lockMs: slowed(5_000) },
      target(live()),
    );
    await failing.waitUntilReady();
    const running = failing.run();
    await eventually(async () => (await queue.getJobState('test-failing')) === 'failed');
    await failing.close();
    await running;
    expect((await ask('/api/queues/io/test-failing/retry', 'PUT')).status).to.equal(204);
    expect(await queue.getJobState('test-failing')).to.equal('waiting');
    await queue.remove('test-failing');
  });

  it('promotes a delayed job', async () => {
    await queue.add('of-a-test', ticket, { jobId: 'test-delayed', delay: 3_600_000 });
    expect(await queue.getJobState('test-delayed')).to.equal('delayed');
    expect((await ask('/api/queues/io/test-delayed/promote', 'PUT')).status).to.equal(204);
    expect(await queue.getJobState('test-delayed')).to.equal('waiting');
    await queue.remove('test-delayed');
  });
});
