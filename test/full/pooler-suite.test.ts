import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { unpooled } from '../runner/unpooled.ts';
import { startMember, type Member } from '../runner/member.ts';
import { pgbouncerIsThere } from '../support/pgbouncer.ts';

/**
 * Live tests of what a pooler in transaction mode could break: tenants, transactions, time limits, notices, locks, copies
 * into tables, the audit log and its packs, deliveries and schedules. `--pooler` runs any other.
 */
const files = [
  'test/live/isolation.test.ts',
  'test/live/transactions.test.ts',
  'test/live/pool.test.ts',
  'test/live/pipeline/admission.test.ts',
  'test/live/pipeline/cancellation.test.ts',
  'test/live/data/import.test.ts',
  'test/live/audit/log.test.ts',
  'test/live/trust/evidence-packs.test.ts',
  'test/live/events/webhooks.test.ts',
  'test/live/workflows/budget-crossings.test.ts',
  'test/live/actions/investment-execution-model.test.ts',
  'test/live/access/processes.test.ts',
];
/** Fewer transactions would mean that the service did not use the pooler. */
const TRANSACTIONS_MIN = 200;

describe('The live tests behind PgBouncer in transaction mode', function () {
  let member: Member;

  before(function () {
    if (!pgbouncerIsThere()) {
      console.log('      left out: PgBouncer is not installed');
      this.skip();
    }
    const amount = { TEST_AMOUNT: 'usual', TEST_BACKEND: 'postgres' };
    member = startMember({ ...amount, TEST_PART: 'pooled', TEST_POOLER: 'true' });
  });
  after(() => member?.abandon());

  for (const file of files) {
    it(`passes ${file}`, async () => {
      const { passed, failed, text } = await member.run({ file, colour: false });
      expect(failed, text).to.equal(0);
      expect(passed).to.be.above(0);
    });
  }

  it('leaves out only files that exist', () => {
    expect(Object.keys(unpooled).filter((file) => !existsSync(file))).to.deep.equal([]);
  });

  it('sends the transactions of the service through the pooler', async () => {
    const { failed, text } = await member.end();
    expect(failed, text).to.equal(0);
    const [, transactions] = /PgBouncer passed on (\d+) transactions/.exec(text) ?? [];
    expect(Number(transactions), text).to.be.above(TRANSACTIONS_MIN);
  });
});
