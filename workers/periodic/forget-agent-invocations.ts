import { forgetInvocations } from '#lib/agents/agent-invocation.write.ts';
import { systemClock } from '#lib/core/clock.ts';
import type { Orm } from '#lib/database/base.ts';
import { inPlatform } from '#lib/database/orm.ts';

/** Deletes agent invocations whose retention period has ended. */
export async function forgetAgentInvocations(orm: Orm, now = systemClock.now()): Promise<void> {
  await inPlatform(orm, (em) => forgetInvocations(em, now));
}
