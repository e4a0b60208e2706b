import { expect } from 'chai';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf, type Answer } from '../../support/client.ts';
import { importPortfolioRows } from '../../support/imported-portfolio.ts';
import { onOneBackend } from '../../support/live.ts';

/** Number of events, large enough that a computation takes longer than the arrival of a request. */
const EVENTS = 6_000;
const READS = 16;
/** Minimum number of computations that are answered: one runs and four wait. */
const SERVED_MIN = 5;

onOneBackend('Reads that compute', (live) => {
  async function portfolioOf(events: number): Promise<Tenancy> {
    const tenancy = await buildTenancy(live());
    await importPortfolioRows(live(), tenancy, 'portfolios', [
      'main,Main,USD,taxable,fifo,,owner,2018-01-01',
    ]);
    const rows = Array.from(
      { length: events },
      (_, at) => `main,R-${at},buy,2018-01-03,S${at % 100},200,100,,,,,,,`,
    );
    await importPortfolioRows(live(), tenancy, 'events', rows);
    return tenancy;
  }

  it('429 for the reads of a workspace beyond its share, while another workspace is served', async () => {
    const [busy, bystander] = [await portfolioOf(EVENTS), await portfolioOf(3)];
    const read = ({ key }: Tenancy) =>
      clientOf(live(), key).get('/investment/portfolios/main/tax-lots?as_of=2018-01-31&state=all');
    const reads = Array.from({ length: READS }, () => read(busy));
    const other: Answer[] = [];
    const refused = await Promise.any(
      reads.map(async (each) => {
        const answer = await each;
        if (answer.status !== 429) throw new Error('it was served');
        return answer;
      }),
    );
    for (let at = 0; at < 3; at += 1) other.push(await read(bystander));
    expect(other.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    expect(refused.body).to.include({
      code: 'too_many_waiting',
      bound: 'computations_of_workspace',
      limit: 4,
    });
    expect(Number(refused.headers.get('retry-after'))).to.be.at.least(1);
    const answers = await Promise.all(reads);
    const served = answers.filter(({ status }) => status === 200);
    expect(served.length).to.be.at.least(SERVED_MIN);
    expect(served.length + answers.filter(({ status }) => status === 429).length).to.equal(READS);
    expect((await read(busy)).status).to.equal(200);
  });
});
