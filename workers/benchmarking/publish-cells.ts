import { systemClock } from '#lib/core/clock.ts';
import { contribute } from '#lib/benchmarking/contribute.write.ts';
import { contributesTo } from '#lib/benchmarking/membership.ts';
import { currentMemberships } from '#lib/benchmarking/membership.query.ts';
import { boundsOf, closedPeriods } from '#lib/benchmarking/period.ts';
import { isPublished, publishCells } from '#lib/benchmarking/publish-cells.write.ts';
import type { Orm } from '#lib/database/base.ts';
import { inPlatform, inTenant } from '#lib/database/orm.ts';

/**
 * Publishes the benchmark cells of every closed month that has contributors and no cells yet. The figures of each
 * workspace are measured in a transaction of their own. Returns the number of cells.
 */
export async function publishBenchmarks(orm: Orm, now = systemClock.now()): Promise<number> {
  let published = 0;
  for (const period of closedPeriods(now)) {
    const members = (await inPlatform(orm, currentMemberships)).filter((each) =>
      contributesTo(each, boundsOf(period)),
    );
    if (members.length === 0 || (await inPlatform(orm, (em) => isPublished(em, period)))) continue;
    for (const membership of members) {
      const { workspaceUid: workspace, environment } = membership;
      await inTenant(orm, { workspace, environment }, (em) => contribute(em, membership, { period, now }));
    }
    published += (await inPlatform(orm, (em) => publishCells(em, period, now))) ?? 0;
  }
  return published;
}
