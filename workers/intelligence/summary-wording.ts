import { systemClock } from '#lib/core/clock.ts';
import type { Config } from '#lib/core/config.ts';
import { keyEncryptionKey } from '#lib/core/envelope-encryption.ts';
import type { Log } from '#lib/core/log.ts';
import { oneAtATime } from '#lib/core/one-at-a-time.ts';
import { scopes } from '#lib/core/scope.ts';
import { meteredChat } from '#lib/ai/metered-chat.query.ts';
import { openGateway, type Gateway } from '#lib/ai/provider/gateway.ts';
import type { Orm, Tenant } from '#lib/database/base.ts';
import { inPlatform, inTenant } from '#lib/database/orm.ts';
import { readExportable } from '#lib/intelligence/read-exportable.query.ts';
import type { Section } from '#lib/intelligence/summary.ts';
import { factsHash, groundedText, isWorthWording, wordingMessages } from '#lib/intelligence/wording.ts';
import {
  claimWording,
  keepWording,
  tenantsWithWording,
  type WordingChoice,
} from '#lib/intelligence/wording.write.ts';

const OUTPUT_TOKENS_MAX = 400;
/** Time in milliseconds after which a pass requests no further wording. */
const TURN_MS = 20_000;

export type Wordings = {
  orm: Orm;
  gateway: Gateway;
  /** The key that encrypts the provider keys of connections. */
  key: Buffer;
  log: Log;
};

/**
 * Opens the service that requests wordings of summaries, with a worker's configuration. The URL contains the
 * worker's database role.
 */
export function openSummaryWording({
  config,
  databaseUrl,
  orm,
  log,
}: {
  config: Config;
  databaseUrl: string;
  orm: Orm;
  log: Log;
}): { write: () => Promise<number>; close: () => Promise<void> } {
  const gateway = openGateway({ networks: config.AI_NETWORKS });
  const password = decodeURIComponent(new URL(databaseUrl).password);
  const key = keyEncryptionKey(config.AI_CONNECTION_KEY, password);
  return {
    write: oneAtATime(() => writeWordings({ orm, gateway, key, log })),
    close: gateway.close,
  };
}

/**
 * Requests wordings for sections whose facts have no wording yet, in workspaces that enabled wordings. A text is
 * discarded if it contains a number that its section does not contain. Returns the number of stored texts.
 */
export async function writeWordings(wordings: Wordings): Promise<number> {
  const end = performance.now() + TURN_MS;
  let written = 0;
  for (const tenant of await inPlatform(wordings.orm, tenantsWithWording)) {
    const { sections } = await inTenant(
      wordings.orm,
      tenant,
      (em) => readExportable(em, { scopes: new Set(scopes), now: systemClock.now() }),
      { isReadOnly: true },
    );
    for (const { wording: _, ...section } of sections) {
      if (performance.now() > end) return written;
      if (isWorthWording(section) && (await writeOne(wordings, tenant, section))) written += 1;
    }
  }
  return written;
}

async function writeOne(
  { orm, gateway, key, log }: Wordings,
  tenant: Tenant & WordingChoice,
  section: Section,
): Promise<boolean> {
  const hash = factsHash(section);
  const { connection, model } = tenant;
  const now = () => systemClock.now();
  const claim = { section: section.key, factsHash: hash, connection, model };
  if (!(await inTenant(orm, tenant, (em) => claimWording(em, { ...claim, now: now() })))) return false;
  const chat = await meteredChat(
    { gateway, key, now, transaction: (work) => inTenant(orm, tenant, work) },
    {
      connection,
      purpose: 'summary_wording',
      request: { ...wordingMessages(section), model, outputTokensMax: OUTPUT_TOKENS_MAX },
    },
  );
  const text = chat.made && chat.outcome.ok ? groundedText(chat.outcome.text, section) : undefined;
  if (text === undefined) {
    const code = !chat.made ? chat.code : chat.outcome.ok ? 'ungrounded_text' : chat.outcome.code;
    log.info(
      { workspace: tenant.workspace, section: section.key, code },
      'no text was stored for the section of the workspace summary',
    );
    return false;
  }
  await inTenant(orm, tenant, (em) =>
    keepWording(em, { section: section.key, factsHash: hash, text, now: now() }),
  );
  return true;
}
