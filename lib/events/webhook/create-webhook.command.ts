import type { Networks } from '#lib/core/network-address.ts';
import { urlFault, type UrlFault } from '#lib/core/public-agent.ts';
import type { Tenant } from '#lib/database/base.ts';
import { defineCommand, personOf, type RefusalCode } from '#lib/governance/command.ts';
import { knownPlace, unknownWorkspace } from '#lib/access/known-place.query.ts';
import { entryOf } from './webhook-entry.ts';
import {
  countActiveWebhooks,
  insertWebhook,
  lockWebhooks,
  WEBHOOKS_MAX,
  type NewWebhook,
} from './webhook.write.ts';

type Input = Tenant &
  Omit<NewWebhook, 'by' | 'now'> & {
    /** The networks that are not public, but that webhooks may reach. */
    networks: Networks;
    /** The key that encrypts the secret. */
    key: Buffer;
  };

type CreateVerdict = { ok: true } | { ok: false; code: UrlFault | 'webhook_limit_reached' };

/** Creates a webhook. Events are sent to its URL from now on. */
export const createWebhook = defineCommand<Input>()({
  find: knownPlace,
  unknown: 'workspace_unknown',
  lock: (em, _input, place) => lockWebhooks(em, place),
  facts: (em, _locked, _input, { place }) => countActiveWebhooks(em, place),
  decide(active, { url, networks }): CreateVerdict {
    const fault = urlFault(url, networks);
    if (fault) return { ok: false, code: fault };
    return active >= WEBHOOKS_MAX ? { ok: false, code: 'webhook_limit_reached' } : { ok: true };
  },
  async write(em, _active, _verdict, at) {
    const { key, networks: _networks, ...given } = at.input;
    const { place, now } = at;
    return { result: insertWebhook(em, place, { ...given, by: personOf(at), now }, key) };
  },
  entry: (_active, _verdict, _input, created) => created && entryOf('webhook.created', created.webhook),
  refusals: {
    ...unknownWorkspace,
    url_invalid: 'The address is not an http or https URL of at most 2,000 characters.',
    url_not_https: 'The address must begin with https://.',
    url_with_credentials: 'The address contains a user name or password. Messages are signed instead.',
    address_refused: 'The address is not on the public internet. WEBHOOK_NETWORKS allows other networks.',
    webhook_limit_reached: `The environment already has ${WEBHOOKS_MAX} active webhooks.`,
  } satisfies Record<RefusalCode<CreateVerdict> | 'workspace_unknown', string>,
});
