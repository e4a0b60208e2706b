import { pino } from 'pino';
import { roleUrl } from '#lib/database/roles.ts';
import { openQueue, type TicketQueue } from '#lib/pipeline/queue.ts';
import type { Backend } from './backends.ts';

/** Returns the numerics queue of a backend, so that a test can deliver or lose jobs itself. */
export function ticketQueue(backend: Backend): TicketQueue {
  return openQueue('numerics', {
    redisUrl: backend.redis?.url,
    databaseUrl: roleUrl(backend.ownerUrl, 'api'),
    log: pino({ level: 'silent' }),
  });
}
