import { createPublicKey, verify } from 'node:crypto';
import { appendAudits } from '#lib/audit/audit.write.ts';
import { bodyOf, type AuditEvent } from '#lib/audit/entry.ts';
import { Frontier, leafHash } from '#lib/audit/merkle.ts';
import { placePending } from '#lib/audit/sequencer.write.ts';
import { canonicalJson } from '#lib/core/seal.ts';
import { signBytes, createKeyPair, type KeyPair } from '#lib/core/signing.ts';
import type { Orm, Tenant } from '#lib/database/base.ts';
import { inPlatform, inTenant, openOrm } from '#lib/database/orm.ts';
import { roleUrl } from '#lib/database/roles.ts';
import {
  preAuthEncoding,
  sealPack,
  statementOf,
  withEnvelope,
  type PackContent,
} from '#lib/trust/evidence-pack.ts';
import { ensureSigningKey } from '#lib/trust/signing-key.write.ts';
import { signingSecret } from '#lib/trust/signing-secret.query.ts';
import { verifyPack } from '#lib/trust/verify-pack.mjs';
import evidencePacks from '#workers/trust/evidence-packs.ts';
import { buildTenancy } from '../../support/build.ts';
import type { BenchContext, Row } from '../bench.ts';
import { interleave, ratioRow } from '../rounds.ts';

const ROUNDS = { full: 3, tiny: 1 };
const LEAVES = { full: 100_000, tiny: 500 };
const CHECKS = { full: 200, tiny: 3 };
const BATCH = 10_000;

/**
 * Measures how long the worker takes to create a pack over a log of a given size, and how long its recipient
 * takes to verify it.
 */
export async function packRows({ size, cluster, notify }: BenchContext): Promise<Row[]> {
  const ownerUrl = await cluster.freshDatabase('assay_bench_trust');
  const [operator, worker] = (['operator', 'worker'] as const).map((role) =>
    openOrm(roleUrl(ownerUrl, role), 2),
  );
  try {
    const tenant = await buildTenancy({ orm: () => operator! });
    const events = Array.from({ length: LEAVES[size] }, (_, number) => eventOf(number));
    await fillLog(worker!, tenant, events);
    const secret = await inPlatform(worker!, async (em) => signingSecret(em));
    await inPlatform(operator!, (em) => ensureSigningKey(em, secret, new Date()));
    notify(`${ROUNDS[size]} rounds over a log of ${LEAVES[size]} entries`);
    const bodies = events.map(bodyOf);
    let content: PackContent | undefined;
    const making = await interleave(ROUNDS[size], {
      subject: () => seconds(async () => (content = await makeContent(worker!, tenant))),
      peer: () => seconds(async () => hashAll(bodies)),
    });
    const checking = await interleave(ROUNDS[size], checks(content!, CHECKS[size]));
    const about = { bench: 'trust', unit: 's' };
    return [
      ratioRow(
        {
          ...about,
          case: `pack over ${LEAVES[size]} entries`,
          note: 'the log recomputed and compared with all its stored parts, controls, counts, proofs; the peer hashes the entries and the tree',
        },
        making,
        { max: 10 },
      ),
      ratioRow(
        {
          ...about,
          unit: 'ms',
          case: 'verify',
          note: `a pack of ${JSON.stringify(content).length} bytes, wholly; the peer its signature alone`,
        },
        checking,
        null,
      ),
    ];
  } finally {
    await operator!.close();
    await worker!.close();
  }
}

function eventOf(number: number): AuditEvent {
  return {
    at: new Date(1_800_000_000_000 + number),
    op: number % 10 === 0 ? 'key.issued' : 'delegation.authorized',
    actor: { kind: 'person', uid: `per_${number % 7}` },
    subject: { type: 'test', uid: `tst_${number}` },
    details: { amount_minor: number },
  };
}

async function fillLog(orm: Orm, tenant: Tenant, events: readonly AuditEvent[]): Promise<void> {
  for (let at = 0; at < events.length; at += BATCH) {
    await inTenant(orm, tenant, (em) => appendAudits(em, events.slice(at, at + BATCH)));
  }
  await inTenant(orm, tenant, placePending);
}

async function makeContent(orm: Orm, tenant: Tenant): Promise<PackContent> {
  const loaded = await inTenant(orm, tenant, (em) =>
    evidencePacks.load(em, {
      uid: 'epk_01K8XQ5W3ZJ6T9R2M4N7P0QABC',
      modelKey: evidencePacks.run.model,
      input: { schema: 'svc.evidence-pack/1' },
      datasetRevisions: {},
    }),
  );
  if (!loaded.ok) throw new Error(loaded.detail);
  return sealPack(loaded.facts);
}

function hashAll(bodies: readonly string[]): string {
  const tree = new Frontier();
  for (const body of bodies) tree.append(leafHash(canonicalJson(JSON.parse(body))));
  return tree.root();
}

/**
 * Returns the measurements of both sides: each returns the mean duration of one check in milliseconds, over several
 * checks in a row.
 */
function checks(content: PackContent, times: number) {
  const { text, signature, key, bytes } = signed(content, createKeyPair());
  const each = async (work: () => boolean) => {
    const took = await seconds(async () => {
      for (let time = 0; time < times; time += 1) if (!work()) throw new Error('the pack does not hold');
    });
    return (took * 1_000) / times;
  };
  return {
    subject: () => each(() => verifyPack(text).ok),
    peer: () => each(() => verify(null, bytes, key, signature)),
  };
}

function signed(made: PackContent, { keyid, x, privateKey }: KeyPair) {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x } as const;
  const { seal, log, schema: _, created_at: __, exclusions: ___, ...facts } = made;
  const { origin: ____, checkpoint: _____, ...packLog } = log;
  const content = sealPack({
    ...facts,
    log: packLog,
    previous_pack_hash: seal.previous_pack_hash,
    keys: [{ ...made.keys[0]!, keyid, public_jwk: jwk }],
  });
  const bytes = preAuthEncoding(statementOf(content));
  const signature = signBytes(privateKey, bytes);
  return {
    text: JSON.stringify(withEnvelope(content, { keyid, signature })),
    bytes,
    signature: Buffer.from(signature, 'base64'),
    key: createPublicKey({ key: jwk, format: 'jwk' }),
  };
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1_000;
}
