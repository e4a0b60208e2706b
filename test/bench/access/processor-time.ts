import { createAccess } from '#api/http/access.ts';
import { getWorkspace } from '#api/access/workspace.ts';
import { serviceClassLimits } from '#lib/database/base.ts';
import { createLocalRates } from '#lib/limits/local-rates.ts';
import { quotasOf } from '#lib/limits/policy.ts';
import { scopes } from '#lib/core/scope.ts';
import { newApiKey } from '#lib/access/api-key.ts';

const WARM_UP = 5_000;

/**
 * Returns the microseconds of processor time that the admission of a request takes if the database lookup is
 * answered at once.
 */
export async function processorTimeUs(requests: number): Promise<number> {
  const found = {
    refusal: null,
    credential_uid: 'key_01K8XQ5W3ZJ6T9R2M4N7P0QABC',
    application_uid: 'app_01K8XQ5W3ZJ6T9R2M4N7P0QABC',
    workspace_uid: 'wsp_01K8XQ5W3ZJ6T9R2M4N7P0QABC',
    environment: 'sandbox',
    status: 'active',
    service_class: 'enterprise',
    scopes: scopes.join(' '),
    granted: null,
    entitlements: scopes.join(' '),
  };
  const access = createAccess({
    ask: () => Promise.resolve([found]),
    quotas: quotasOf(serviceClassLimits, 1_000),
    rates: createLocalRates(1, () => performance.now() / 1_000),
    onUse: () => {},
  })(getWorkspace);
  const { key } = newApiKey('sandbox');
  const one = () => access(contextOf(key) as never, () => Promise.resolve());
  for (let count = 0; count < WARM_UP; count++) await one();
  const start = process.cpuUsage();
  for (let count = 0; count < requests; count++) await one();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / requests;
}

function contextOf(key: string) {
  return {
    state: {},
    querystring: '',
    get: (name: string) => (name === 'authorization' ? `Bearer ${key}` : ''),
    set: () => {},
  };
}
