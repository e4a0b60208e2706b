import { systemClock, type Clock } from '#lib/core/clock.ts';
import type { Orm } from '#lib/database/base.ts';
import { inPlatform } from '#lib/database/orm.ts';
import { govern } from '#lib/governance/govern.ts';
import { buildExport } from '#lib/infrastructure/lineage/build-export.command.ts';
import { takeQueuedExport } from '#lib/infrastructure/lineage/lineage-exports.query.ts';
import { runs } from '#lib/runs.ts';

/** The maximum number of exports that one pass builds. */
const TURN_MAX = 50;

const scopeOfRun = Object.fromEntries(Object.values(runs).map(({ key, scope }) => [key, scope]));

/**
 * Builds the queued exports of lineage, the oldest first, each in its own transaction. If a build fails unexpectedly,
 * the export stays open, and a later pass tries it again, a limited number of times. Returns the number of exports that
 * have ended.
 */
export async function buildExports(orm: Orm, clock: Clock = systemClock): Promise<number> {
  for (let built = 0; built < TURN_MAX; built += 1) {
    const uid = await inPlatform(orm, (em) => takeQueuedExport(em, clock.now()));
    if (uid === undefined) return built;
    await govern(orm, buildExport, { uid, scopeOfRun }, { actor: { kind: 'system' }, clock });
  }
  return TURN_MAX;
}
