import { systemClock } from '#lib/core/clock.ts';
import type { Orm } from '#lib/database/base.ts';
import { inPlatform } from '#lib/database/orm.ts';
import { forgetExpiredCalls } from '#lib/qlms/provider/provider-call.write.ts';
import { forgetQuestions as forget } from '#lib/qlms/asking/forget-questions.write.ts';

/** Deletes the texts of questions whose retention period has ended, and requests to a provider that nobody used. */
export async function forgetQuestions(orm: Orm, now = systemClock.now()): Promise<void> {
  await inPlatform(orm, async (em) => {
    await forget(em, now);
    await forgetExpiredCalls(em, now);
  });
}
