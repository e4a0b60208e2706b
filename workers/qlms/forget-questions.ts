import { systemClock } from '#lib/core/clock.ts';
import type { Orm } from '#lib/database/base.ts';
import { inPlatform } from '#lib/database/orm.ts';
import { forgetQuestions as forget } from '#lib/qlms/asking/forget-questions.write.ts';

/** Deletes the texts of questions whose retention period has ended. */
export async function forgetQuestions(orm: Orm, now = systemClock.now()): Promise<void> {
  await inPlatform(orm, (em) => forget(em, now));
}
