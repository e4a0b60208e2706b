import { systemClock } from '#lib/core/clock.ts';
import type { Orm } from '#lib/database/base.ts';
import { inPlatform } from '#lib/database/orm.ts';
import { forgetEvents as forget } from '#lib/events/event.write.ts';

/** Deletes events, and the outcomes of their deliveries, when their retention period has ended. */
export async function forgetEvents(orm: Orm, now = systemClock.now()): Promise<void> {
  await inPlatform(orm, (em) => forget(em, now));
}
