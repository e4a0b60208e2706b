import type { Client } from 'pg';
import { openStage, type Power } from '../../bench/actions/stage.ts';
import type { Cost } from '../cost.ts';
import { costsOf, type Slice } from './cost-between.ts';
import type { Place } from './place.ts';

const COUNTS = { full: 300, quick: 3 };
const CONNECTIONS = 4;
/** Delegations and counterparties that the actions use in turn. */
const DELEGATIONS = { full: 10, quick: 1 };
const DATABASE = 'assay_capacity_actions';

type Actions = Record<'authorize_and_settle' | 'register_obligation', Cost>;

/**
 * Measures governed actions, which run in this process without HTTP. Its processor time counts as that of the API. Round
 * trips are counted with a second stage, because the proxy that counts them runs in this process as well.
 */
export async function measureActions(place: Place): Promise<Actions> {
  const count = place.quick ? COUNTS.quick : COUNTS.full;
  place.notify(`${count} actions each: authorize and settle, register an obligation`);
  const throughProxy = await place.cluster.freshDatabase(DATABASE);
  const direct = new URL(throughProxy);
  direct.host = new URL(place.cluster.superuserUrl(DATABASE)).host;
  return place.asSuperuser(DATABASE, async (superuser) => {
    const costs = await measureOn(place, superuser, { url: direct.href, count, isCounted: false });
    const trips = await measureOn(place, superuser, {
      url: throughProxy,
      count: COUNTS.quick,
      isCounted: true,
    });
    const withTrips = (name: keyof Actions) => ({ ...costs[name], postgresTrips: trips[name].postgresTrips });
    return {
      authorize_and_settle: withTrips('authorize_and_settle'),
      register_obligation: withTrips('register_obligation'),
    };
  });
}

async function measureOn(
  place: Place,
  superuser: Client,
  { url, count, isCounted }: { url: string; count: number; isCounted: boolean },
): Promise<Actions> {
  const stage = await openStage(url, CONNECTIONS);
  try {
    const powers: Power[] = [];
    const delegations = place.quick || isCounted ? DELEGATIONS.quick : DELEGATIONS.full;
    for (let at = 0; at < delegations; at += 1) powers.push(await stage.power());
    const slices = {
      authorize_and_settle: repeated(count, (turn) => stage.use(powers[turn % powers.length]!)),
      register_obligation: repeated(count, () => stage.register()),
    };
    for (const { work } of Object.values(slices)) await work();
    const subject = {
      database: DATABASE,
      pids: { api: [process.pid], worker: [], redis: [] },
      superuser,
      redisUrl: undefined,
      proxy: isCounted ? place.proxy : undefined,
      waitsForCounts: !place.quick && !isCounted,
    };
    return (await costsOf(subject, slices)).costs;
  } finally {
    await stage.close();
  }
}

/** Repeats an action, with as many at the same time as there are connections. */
export function repeated(units: number, action: (turn: number) => Promise<unknown>): Slice {
  return {
    units,
    async work() {
      let turn = 0;
      const lane = async () => {
        while (turn < units) await action(turn++);
      };
      await Promise.all(Array.from({ length: CONNECTIONS }, lane));
    },
  };
}
