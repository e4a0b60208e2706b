import { providerKeys } from '#lib/ai/rewrap-provider-keys.command.ts';
import { readConfig } from '#lib/core/config.ts';
import type { WorkersKey } from '#lib/core/workers-key.ts';
import type { Em, Orm, Tenant } from '#lib/database/base.ts';
import { inPlatform, inTenant } from '#lib/database/orm.ts';
import { webhookSecrets as webhookKeys } from '#lib/events/webhook/rewrap-webhook-secrets.command.ts';
import type { Finding } from '#lib/infrastructure/posture/controls.ts';
import {
  connectionSecrets,
  secretsFinding,
  signingSecrets,
  webhookSecrets,
  type StoredSecret,
} from '#lib/infrastructure/posture/secrets.query.ts';
import { signingKeys } from '#lib/trust/signing-key.command.ts';

/** Evaluates whether the secrets that workers read are encrypted with the current keys. */
export async function evaluateSecrets(orm: Orm, tenants: readonly Tenant[]): Promise<Finding> {
  const ai: StoredSecret[] = [];
  for (const tenant of tenants)
    ai.push(...(await inTenant(orm, tenant, connectionSecrets, { isReadOnly: true })));
  return inPlatform(orm, async (em) =>
    secretsFinding([
      { kind: 'signing', key: keyOf(em, signingKeys), secrets: await signingSecrets(em) },
      { kind: 'webhooks', key: keyOf(em, webhookKeys), secrets: await webhookSecrets(em) },
      { kind: 'ai', key: keyOf(em, providerKeys), secrets: ai },
    ]),
  );
}

/** Returns the key of the configuration, or the one that is derived from the workers' own database password. */
function keyOf(em: Em, { variable, keyOf: derive }: WorkersKey): Buffer {
  const { password } = em.getConnection().getConnectionOptions();
  return derive(readConfig()[variable], String(password ?? ''));
}
