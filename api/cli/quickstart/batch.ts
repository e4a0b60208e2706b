import type { Em } from '#lib/database/orm.ts';
import type { Makers } from './sample.ts';

/** A released and confirmed batch of orders that waits for custody. */
export async function sampleBatch(_em: Em, _makers: Makers, _with: unknown): Promise<null> {
  return null;
}
