import type { Actor } from '#lib/audit/entry.ts';
import { systemClock } from '#lib/core/clock.ts';
import type { Orm } from '#lib/database/base.ts';
import type { Queries } from '#lib/database/queries.ts';
import type { AnyCommand, Done, InputOf, PlaceOf } from '#lib/governance/command.ts';
import { governOrRefuse, type Request } from '#lib/governance/govern.ts';

/** The means to create a sample: commands and queries, each in its own transaction. */
export type SampleOperators = { orm: Orm; query: Queries };

export const person = (uid: string): Actor => ({ kind: 'person', uid });

/** Runs a command in its own transaction. Throws its refusal. */
export function governWith<C extends AnyCommand>(
  { orm }: SampleOperators,
  command: C,
  input: InputOf<C>,
  actor: Request<PlaceOf<C>>['actor'],
): Promise<Done<C>> {
  return governOrRefuse(orm, command, input, { clock: systemClock, actor });
}
