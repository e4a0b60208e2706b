import { systemClock } from '#lib/core/clock.ts';
import { sealValueSnapshot } from '#lib/commercial/seal-value-snapshot.command.ts';
import { inTenant } from '#lib/database/orm.ts';
import { governWithin } from '#lib/governance/govern.ts';
import type { Backend } from './backends.ts';
import type { Tenancy } from './build.ts';

/** Creates a value snapshot of a workspace, sealed as the scheduler seals it. Returns its uid. */
export async function createValueSnapshot(backend: Backend, tenancy: Tenancy): Promise<string> {
  const { workspace, environment } = tenancy;
  const place = { workspace, environment };
  const request = { actor: { kind: 'system' as const }, place, clock: systemClock };
  const sealed = await inTenant(backend.orm('worker'), place, (em) =>
    governWithin(em, sealValueSnapshot, place, request),
  );
  if (!sealed.ok) throw new Error(sealed.detail);
  return sealed.result.uid;
}
