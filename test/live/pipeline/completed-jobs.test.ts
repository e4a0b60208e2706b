import { expect } from 'chai';
import { onEachBackend } from '../../support/live.ts';
import { ticketQueue } from '../../support/queue.ts';
import { asSuperuser } from '../../support/rows.ts';
import { eventually } from '../../support/runs.ts';

onEachBackend('The completed jobs of a queue', function (live) {
  it('are trimmed by the scheduler to the newest thousand, if the queue is on PostgreSQL', async function () {
    if (live().redis) this.skip();
    const queue = ticketQueue(live());
    try {
      await asSuperuser(live(), (database) =>
        database.query(`
          insert into queue.job (queue, id, seq, name, state, added_at_ms, finished_at_ms)
          select 'numerics', 'old-' || n, n - 1e6, 'generative.scenarios', 'completed', n, n from generate_series(1, 11010) n
        `),
      );
      await eventually(async () => (await queue.getCompletedCount()) === 1_000);
      expect(await queue.getJobState('old-1')).to.equal('unknown');
      expect(await queue.getJobState('old-11010')).to.equal('completed');
    } finally {
      await queue.clean(0, 0, 'completed');
      await queue.close();
    }
  });
});
