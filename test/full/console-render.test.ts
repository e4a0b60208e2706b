import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { buildTenancy } from '../support/build.ts';
import { clientOf } from '../support/client.ts';
import { fillConsole, plainPages, recordPlaces } from '../support/console-content.ts';
import { startConsole, type Console } from '../support/console.ts';
import { importEconomics } from '../support/forecast.ts';
import { importSample } from '../support/import.ts';
import { onOneBackend } from '../support/live.ts';
import { slowed } from '../support/patience.ts';

/**
 * The most processor time of the console for a page, from the request to the compressed answer, in milliseconds: 25 ms
 * on a fast machine.
 */
const RENDER_MS_MAX = slowed(25);
/** The requests of one measurement, and the number of measurements, of which the fastest counts. */
const REQUESTS = 8;
const MEASUREMENTS = 3;
/** The length of a tick of the kernel's processor times, in milliseconds. */
const TICK_MS = 10;

onOneBackend('the processor time of the pages of the console', (live) => {
  let console: Console;
  let cookie: string;
  const places: string[] = [];

  before(async () => {
    console = await startConsole(live());
    const tenancy = await buildTenancy(live());
    await importSample(live(), tenancy.workspace);
    await importEconomics(live(), tenancy.workspace);
    const client = clientOf(live(), tenancy.key);
    const submitted: string[] = [];
    for (const [resource, body] of [
      ['/investment/theme-watch/factors', { as_of_date: '2020-09-30', history_months: 60 }],
      ['/planning/forecasts', { metric: 'economics.GDPC1', horizon: 8, reason: 'Budget' }],
    ] as const) {
      const { status, body: run } = await client.post(resource, body);
      expect(status, JSON.stringify(run)).to.equal(201);
      submitted.push(run.uid);
    }
    const { runs } = await fillConsole(live(), tenancy);
    cookie = await console.signIn(tenancy.person);
    places.push(...plainPages, ...(await recordPlaces(console, cookie)));
    places.push(...[...submitted, ...runs].map((uid) => `/console/runs/${uid}`));
    places.push(
      '/console/new/planning.forecasts?example=1',
      `/console/trace/${submitted[0]}`,
      '/console/series/GDPC1',
    );
  });
  after(() => console.stop());

  /** Returns the processor time that the console has used, in milliseconds. */
  const used = (): number => {
    const fields = readFileSync(`/proc/${console.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  };
  const load = async (place: string): Promise<void> => {
    const answer = await console.ask(place, { headers: { cookie, 'accept-encoding': 'br' } });
    expect(answer.status, place).to.be.oneOf([200, 302]);
    await answer.arrayBuffer();
  };

  it('is at most 25 ms on a fast machine', async function () {
    const slow: string[] = [];
    for (const place of places) for (let count = 0; count < 2; count++) await load(place);
    for (const place of new Set(places)) {
      let least = Infinity;
      for (let round = 0; round < MEASUREMENTS && least > RENDER_MS_MAX / 2; round++) {
        const before = used();
        for (let count = 0; count < REQUESTS; count++) await load(place);
        least = Math.min(least, (used() - before) / REQUESTS);
      }
      if (process.env['CONSOLE_RENDER_TIMES']) process.stdout.write(`${least.toFixed(1)} ${place}\n`);
      if (least > RENDER_MS_MAX) slow.push(`${least.toFixed(1)} ms ${place}`);
    }
    expect(slow).to.deep.equal([]);
  });
});
