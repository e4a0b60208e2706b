import { readFileSync } from 'node:fs';
import { LogBroken } from '#lib/audit/log-check.ts';
import { verifyLog } from '#lib/audit/log.query.ts';
import { EMPTY_ROOT } from '#lib/audit/merkle.ts';
import { verifyConsistency } from '#lib/audit/merkle-verify.ts';
import { waitForPlacing } from '#lib/audit/sequencer.write.ts';
import { proveConsistency, readCheckpoints } from '#lib/audit/tree.query.ts';
import { systemClock } from '#lib/core/clock.ts';
import { sha256 } from '#lib/core/seal.ts';
import { signBytes } from '#lib/core/signing.ts';
import type { Em } from '#lib/database/base.ts';
import { placeEntries } from '#lib/events/publish.write.ts';
import { aggregate } from '#lib/trust/aggregates.ts';
import { readConfiguration } from '#lib/trust/configuration.query.ts';
import { preAuthEncoding, statementOf, type PackContent, type PackFacts } from '#lib/trust/evidence-pack.ts';
import {
  birthOf,
  chainPack,
  findPack,
  newestPack,
  packOfSequence,
  tenantOfPack,
  type PackRow,
  type Pinned,
} from '#lib/trust/evidence-pack.write.ts';
import { evidencePacksRun } from '#lib/trust/evidence-packs.run.ts';
import { countEntries } from '#lib/trust/log-facts.query.ts';
import {
  activeSigningKey,
  listSigningKeys,
  openSigningKey,
  type ListedKey,
} from '#lib/trust/signing-key.write.ts';
import { signingSecret } from '#lib/trust/signing-secret.query.ts';
import { runner } from '../process/runner.ts';
import { testControls } from './control-findings.ts';

const VERIFIER = new URL('../../lib/trust/verify-pack.mjs', import.meta.url);

export type Loaded =
  | { ok: true; facts: PackFacts }
  | { ok: false; code: 'signing_unavailable' | 'log_integrity_failure'; detail: string };

/**
 * The pack to produce: the next pack of the chain or, for a replay, the pack that the replayed run produced.
 */
type Place = {
  sequence: number;
  from: Date;
  to: Date;
  previous: PackRow | undefined;
  log: { size: number; root: string };
  pinned: Pinned;
  key: ListedKey;
};

export default runner(evidencePacksRun, {
  /** Recomputes the log from its entries, tests the controls on it, and collects the content of the pack. */
  load: async (em, { uid }): Promise<Loaded> => {
    const made = await findPack(em, uid);
    if (!made && !(await hasUsableKey(em))) {
      return { ok: false, code: 'signing_unavailable', detail: 'No signing key is available.' };
    }
    try {
      const place = made ? await placeOfMade(em, made) : await nextPlace(em);
      return { ok: true, facts: await factsOf(em, uid, place) };
    } catch (error) {
      if (!(error instanceof LogBroken)) throw error;
      const detail =
        'The audit log differs from the entries placed in it. No pack is built until an operator has investigated the difference.';
      return { ok: false, code: 'log_integrity_failure', detail };
    }
  },
  /**
   * Signs the sealed content and stores it as the next pack of the chain, in the transaction that seals the
   * run.
   */
  record: async (em, { output }) => {
    const content = output.result as PackContent;
    const { keyid } = content.keys[0]!;
    const privateKey = await openSigningKey(em, keyid, signingSecret(em));
    if (!privateKey) throw new KeyRetired();
    const signature = signBytes(privateKey, preAuthEncoding(statementOf(content)));
    const { configuration, verifier } = content;
    await chainPack(em, content, { pinned: { configuration, verifier }, keyid, signature });
  },
  compute: new URL('./evidence-packs.compute.ts', import.meta.url),
});

/** Reports that the signing key was rotated between reading and sealing. A retry uses the new key. */
class KeyRetired extends Error {
  readonly code = '40001';
}

async function hasUsableKey(em: Em): Promise<boolean> {
  const key = await activeSigningKey(em);
  return key !== undefined && (await openSigningKey(em, key.keyid, signingSecret(em))) !== undefined;
}

/**
 * Gives all committed audit entries their position in the log tree before the pack is made, so that the pack
 * covers them.
 */
async function nextPlace(em: Em): Promise<Place> {
  await waitForPlacing(em);
  await placeEntries(em, systemClock.now());
  const { size, root } = await verifyLog(em);
  const previous = await newestPack(em);
  const from = previous?.to ?? (await birthOf(em));
  const key = (await activeSigningKey(em))!;
  return {
    sequence: (previous?.sequence ?? 0) + 1,
    from,
    to: latest(systemClock.now(), from, key.validFrom),
    previous,
    log: { size, root },
    pinned: {
      configuration: await readConfiguration(em),
      verifier: { name: 'verify-pack.mjs', version: '1', sha256: sha256(readFileSync(VERIFIER)) },
    },
    key,
  };
}

/**
 * Returns the latest of some instants. It is used as the end of a pack's period. The period then ends after
 * the previous period and within the lifetime of the signing key, even if the clocks of machines differ.
 */
function latest(...instants: Date[]): Date {
  return new Date(Math.max(...instants.map((instant) => instant.getTime())));
}

async function placeOfMade(em: Em, made: PackRow): Promise<Place> {
  await verifyLog(em);
  const keys = await listSigningKeys(em);
  return {
    ...made,
    previous: await packOfSequence(em, made.sequence - 1),
    log: { size: made.treeSize, root: await rootAt(em, made.treeSize) },
    key: keys.find(({ keyid }) => keyid === made.keyid)!,
  };
}

async function rootAt(em: Em, size: number): Promise<string> {
  if (size === 0) return EMPTY_ROOT;
  const [checkpoint] = await readCheckpoints(em, size - 1, size);
  if (!checkpoint) throw new LogBroken(`there is no checkpoint at ${size} entries`);
  return checkpoint.root;
}

async function factsOf(em: Em, uid: string, place: Place): Promise<PackFacts> {
  const { previous, log, key } = place;
  const span = { start: previous?.treeSize ?? 0, end: log.size };
  return {
    uid,
    ...tenantOfPack(em),
    sequence: place.sequence,
    period: { from: place.from.toISOString(), to: place.to.toISOString() },
    previous_pack_hash: previous?.packHash ?? null,
    log: await growth(em, previous, log),
    controls: await testControls(em, span, log.size),
    aggregates: aggregate(await countEntries(em, span)),
    ...place.pinned,
    keys: [
      {
        keyid: key.keyid,
        algorithm: 'Ed25519',
        public_jwk: { kty: 'OKP', crv: 'Ed25519', x: key.x },
        valid_from: key.validFrom.toISOString(),
      },
    ],
  };
}

/** Returns the growth of the log since the previous pack, with the proof that entries were only appended. */
async function growth(em: Em, previous: PackRow | undefined, { size, root }: Place['log']) {
  const [first, firstRoot] = [previous?.treeSize ?? 0, previous?.rootHash ?? EMPTY_ROOT];
  if (first > size) throw new LogBroken('the log has lost entries since the previous pack');
  const proof = await proveConsistency(em, first, size);
  if (!verifyConsistency({ first, firstRoot, second: size, secondRoot: root, proof })) {
    throw new LogBroken('the log does not continue the previous pack');
  }
  return {
    tree_size: size,
    root_hash: root,
    previous_tree_size: first,
    previous_root_hash: firstRoot,
    consistency_proof: proof,
  };
}
