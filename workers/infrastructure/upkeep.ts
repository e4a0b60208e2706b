import { verifyLog } from '#lib/audit/log.query.ts';
import { LogBroken } from '#lib/audit/log-check.ts';
import { systemClock } from '#lib/core/clock.ts';
import type { Orm, Tenant } from '#lib/database/base.ts';
import { inPlatform, inTenant } from '#lib/database/orm.ts';
import { govern } from '#lib/governance/govern.ts';
import { forgetExports } from '#lib/infrastructure/lineage/lineage-exports.query.ts';
import type { ControlKey, Finding } from '#lib/infrastructure/posture/controls.ts';
import { evaluateCodes, evaluateRestore } from '#lib/infrastructure/posture/recovery.query.ts';
import { connectionSecrets, type StoredSecret } from '#lib/infrastructure/posture/secrets.query.ts';
import * as evaluate from '#lib/infrastructure/posture/evaluators.query.ts';
import { notePosture } from '#lib/infrastructure/posture/note-posture.command.ts';
import { recordFinding } from '#lib/infrastructure/posture/posture.write.ts';
import { tables } from '#lib/products.ts';
import { newestPack } from '#lib/trust/evidence-pack.write.ts';
import { evaluateSecrets } from './evaluate-secrets.ts';

const TENANTS_MAX = 20;
/** A workspace that does not exist. Every row that a transaction for it reads belongs to another workspace. */
const nobody: Tenant = { workspace: 'wsp_00000000000000000000000000', environment: 'sandbox' };

/**
 * Evaluates the controls of the deployment, records the findings with their evidence, and deletes the contents of
 * expired exports. Returns the number of controls whose status has changed.
 */
export async function infrastructureUpkeep(orm: Orm): Promise<number> {
  const clock = () => systemClock.now();
  await inPlatform(orm, (em) => forgetExports(em, clock()));
  const tenants = await inPlatform(orm, (em) => evaluate.knownTenants(em, TENANTS_MAX));
  const findings: [ControlKey, Finding][] = [
    ['tenant_isolation_rls', await isolation(orm, tenants)],
    ['api_role_grants', await inPlatform(orm, (em) => evaluate.evaluateGrants(em, tables))],
    ['audit_log_intact', await auditLogs(orm, tenants)],
    ['pack_fresh', await packs(orm, tenants, clock())],
    ['signing_key_age', await inPlatform(orm, (em) => evaluate.evaluateSigningKey(em, clock()))],
    ['clock_skew', await inPlatform(orm, (em) => evaluate.evaluateClock(em, clock))],
    ['backup_restored', await inPlatform(orm, (em) => evaluateRestore(em, clock()))],
    ['secrets_rewrapped', await secrets(orm, tenants)],
    ['production_codes_enrolled', await inPlatform(orm, evaluateCodes)],
    ['queue_heartbeat', { status: 'pass', detailCode: 'delivered', evidence: { queue: 'io' } }],
  ];
  let changed = 0;
  for (const [control, finding] of findings) {
    const now = clock();
    const from = await inPlatform(orm, (em) => recordFinding(em, { key: control, finding, now }));
    if (from === undefined) continue;
    changed += 1;
    for (const tenant of tenants) {
      const input = { tenant, control, from, to: finding.status };
      await govern(orm, notePosture, input, { actor: { kind: 'system' }, clock: systemClock });
    }
  }
  return changed;
}

/** Tries to read foreign rows as a workspace that does not exist, and as the first known workspace. */
async function isolation(orm: Orm, tenants: readonly Tenant[]): Promise<Finding> {
  const found = [];
  for (const tenant of [nobody, ...tenants.slice(0, 1)])
    found.push(
      await inTenant(orm, tenant, (em) => evaluate.evaluateIsolation(em, tables), { isReadOnly: true }),
    );
  return found.find(({ status }) => status === 'fail') ?? found.at(-1)!;
}

async function secrets(orm: Orm, tenants: readonly Tenant[]): Promise<Finding> {
  const ai: StoredSecret[] = [];
  for (const tenant of tenants)
    ai.push(...(await inTenant(orm, tenant, connectionSecrets, { isReadOnly: true })));
  return inPlatform(orm, (em) => evaluateSecrets(em, ai));
}

async function auditLogs(orm: Orm, tenants: readonly Tenant[]): Promise<Finding> {
  if (tenants.length === 0) return { status: 'not_evaluated', detailCode: 'no_log' };
  const logs: { workspace: string; environment: string; intact: boolean }[] = [];
  for (const tenant of tenants) {
    const intact = await inTenant(orm, tenant, verifyLog, { isReadOnly: true }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof LogBroken) return false;
        throw error;
      },
    );
    logs.push({ ...tenant, intact });
  }
  const isIntact = logs.every(({ intact }) => intact);
  return {
    status: isIntact ? 'pass' : 'fail',
    detailCode: isIntact ? 'logs_recomputed' : 'log_differs',
    evidence: { logs },
  };
}

async function packs(orm: Orm, tenants: readonly Tenant[], now: Date): Promise<Finding> {
  const ends: Date[] = [];
  for (const tenant of tenants) {
    const newest = await inTenant(orm, tenant, newestPack, { isReadOnly: true });
    if (newest) ends.push(newest.to);
  }
  const oldest = ends.toSorted((one, other) => one.getTime() - other.getTime())[0] ?? null;
  return evaluate.packFinding(oldest, now);
}
