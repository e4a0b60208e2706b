import type { Fault } from '#lib/core/problem.ts';
import { TOURNAMENT_LIMITS } from '../tournament-limits.ts';
import type { TournamentRequest } from '../tournament-request.schema.ts';

type Located = Pick<Fault, 'pointer' | 'code' | 'message'>;

/**
 * Returns the faults of a request that mixes strategies with other tasks, entries or losses, or has too many
 * strategies.
 */
export function strategyFaults({ task, entries, loss }: TournamentRequest): Located[] {
  const code = 'not_applicable';
  const isTask = task.kind === 'strategies';
  const mixed = entries.flatMap((entry, at): Located[] => {
    const isStrategy = 'strategy' in entry;
    if (isStrategy === isTask) return [];
    const message = isTask ? 'must be a strategy for a strategies task' : 'needs a strategies task';
    return [{ pointer: `/entries/${at}${isStrategy ? '/strategy' : ''}`, code, message }];
  });
  if (!isTask)
    return loss === 'sharpe'
      ? [...mixed, { pointer: '/loss', code, message: 'needs a strategies task' }]
      : mixed;
  if (loss !== undefined && loss !== 'sharpe')
    mixed.push({ pointer: '/loss', code, message: 'must be sharpe for a strategies task' });
  let count = 0;
  for (const entry of entries) count += 'strategy' in entry ? 1 + (entry.variants?.length ?? 0) : 0;
  const most = TOURNAMENT_LIMITS.strategies;
  if (count <= most) return mixed;
  const message = `have ${count} strategies with their variants; at most ${most} are allowed`;
  return [...mixed, { pointer: '/entries', code: 'maximum', message }];
}
