import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { importFile } from '#lib/data/import/load/import-file.ts';
import { inPlatform, openOrm } from '#lib/database/orm.ts';
import { roleUrl } from '#lib/database/roles.ts';
import { buildTenancy } from '../../support/build.ts';
import { writePriceFiles } from '../../bench/import/price-rows.ts';
import type { Cost } from '../cost.ts';
import { costsOf } from './cost-between.ts';
import type { Place } from './place.ts';

const SIZES = { full: { symbols: 40, days: 2_500 }, quick: { symbols: 2, days: 50 } };
const DATABASE = 'assay_capacity_imports';

/**
 * Measures one row of an import of daily prices. The import runs in this process, whose processor time counts as that of
 * the API. Its round trips are for the whole file, and a row has a small fraction of them.
 */
export async function measureImport(place: Place): Promise<Cost> {
  const size = place.quick ? SIZES.quick : SIZES.full;
  const rows = size.symbols * size.days;
  place.notify(`an import of ${rows} prices`);
  const ownerUrl = await place.cluster.freshDatabase(DATABASE);
  const folder = await mkdtemp(path.join(tmpdir(), 'assay-capacity-'));
  const operator = openOrm(roleUrl(ownerUrl, 'operator'), 2);
  try {
    const csv = path.join(folder, 'prices.csv');
    await writePriceFiles({ csv, copy: path.join(folder, 'prices.copy') }, size);
    const load = async () => {
      const { workspace } = await buildTenancy({ orm: () => operator });
      await inPlatform(operator, (em) => importFile(em, { kind: 'prices', path: csv, workspace }));
    };
    await load();
    return await place.asSuperuser(DATABASE, async (superuser) => {
      const subject = {
        database: DATABASE,
        pids: { api: [process.pid], worker: [], redis: [] },
        superuser,
        redisUrl: undefined,
        proxy: place.proxy,
        waitsForCounts: !place.quick,
      };
      const { costs } = await costsOf(subject, { imported_price: { units: rows, work: load } });
      return costs.imported_price;
    });
  } finally {
    await operator.close();
    await rm(folder, { recursive: true });
  }
}
