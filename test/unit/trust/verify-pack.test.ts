import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { createKeyPair, signBytes } from '#lib/core/signing.ts';
import {
  preAuthEncoding,
  sealPack,
  statementOf,
  withEnvelope,
  type PackFacts,
} from '#lib/trust/evidence-pack.ts';
import { failureStatus, verifyPack, type FailureKind } from '#lib/trust/verify-pack.mjs';
import { verifierOfPage } from '../../support/verify-page.ts';
import {
  importedKeySetOf,
  keySetOf,
  logOf,
  packFacts,
  signContent,
  signedPack,
  signer,
} from '../../support/signed-pack.ts';
import { strideOf } from '../../support/repetitions.ts';

const run = promisify(execFile);
const VERIFIER = new URL('../../../lib/trust/verify-pack.mjs', import.meta.url).pathname;

type Options = { keys?: string; previous?: string };
type Outcome = { ok: boolean; kind?: FailureKind; keys_checked?: boolean };

/**
 * The two implementations of the verifier. They are independent and use different tree algorithms, so that
 * the same tests can detect a mistake in either implementation.
 */
const implementations: [string, (text: string, options?: Options) => Promise<Outcome>, number][] = [
  ['the verifier of evidence packs', async (text, options) => verifyPack(text, options), strideOf(17)],
  ['the page that verifies evidence packs', verifierOfPage(), strideOf(61)],
];

for (const [name, verify, stride] of implementations) {
  describe(name, function () {
    describeVerifier(verify, stride);
  });
}

function describeVerifier(verify: (typeof implementations)[number][1], stride: number) {
  const pack = signedPack();
  const text = JSON.stringify(pack);
  const kindOf = async (changed: unknown, options: Options = {}) => {
    const outcome = await verify(typeof changed === 'string' ? changed : JSON.stringify(changed), options);
    return outcome.ok ? 'ok' : outcome.kind;
  };

  it('accepts an unchanged pack, even with other white space, and reports whether it checked the key', async () => {
    expect(await verify(text)).to.deep.include({ ok: true, keys_checked: false });
    expect(await kindOf(JSON.stringify(pack, null, 2))).to.equal('ok');
    expect(await verify(text, { keys: keySetOf() })).to.include({ ok: true, keys_checked: true });
  });

  it('I-121: rejects a pack after the change of any single bit', async () => {
    const bytes = Buffer.from(text);
    const taken: number[] = [];
    for (let at = 0; at < bytes.length; at += stride) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      if ((await verify(changed.toString())).ok) taken.push(at);
    }
    expect(taken).to.deep.equal([]);
  });

  it('rejects a text that is truncated, contains a member twice or is not a pack', async () => {
    for (const end of [0, 1, text.length >> 1, text.length - 1]) {
      expect(await kindOf(text.slice(0, end)), String(end)).to.equal('not_a_pack');
    }
    expect(await kindOf(text.replace('"sequence":2', '"sequence":1,"sequence":2'))).to.equal('not_a_pack');
    expect(await kindOf(text.replace('"sequence":2', '"sequence":2.0'))).to.equal('not_a_pack');
    for (const odd of ['null', '[]', '{}', '"text"', '{"envelope":{}}'])
      expect(await kindOf(odd)).to.equal('not_a_pack');
  });

  const { envelope } = pack;
  const signature = envelope.signatures[0]!;
  const tampered: [string, FailureKind, unknown][] = [
    ['a pack with a changed member', 'seal', { ...pack, sequence: 3 }],
    ['a pack with an additional member', 'seal', { ...pack, note: 'approved' }],
    ['a pack without one of its members', 'seal', (({ exclusions: _, ...rest }) => rest)(pack)],
    ['a pack without its control', 'seal', { ...pack, controls: [] }],
    ['a pack with another hash', 'seal', { ...pack, seal: { ...pack.seal, pack_hash: '00'.repeat(32) } }],
    ['a pack without an envelope', 'not_a_pack', (({ envelope: _, ...rest }) => rest)(pack)],
    ['a pack without a signature', 'signature', { ...pack, envelope: { ...envelope, signatures: [] } }],
    [
      'a pack with two signatures',
      'signature',
      { ...pack, envelope: { ...envelope, signatures: [signature, signature] } },
    ],
    [
      'a signature in base64 with unused bits that are not 0',
      'signature',
      { ...pack, envelope: { ...envelope, signatures: [{ ...signature, sig: oddBase64(signature.sig) }] } },
    ],
    [
      'another type of payload',
      'signature',
      { ...pack, envelope: { ...envelope, payloadType: 'text/json' } },
    ],
    [
      'another payload',
      'signature',
      {
        ...pack,
        envelope: { ...envelope, payload: signedPack({ sequence: 9 }).envelope.payload },
      },
    ],
    [
      'the signature of another pack',
      'signature',
      { ...pack, envelope: signedOf({ sequence: 9 }, envelope) },
    ],
  ];
  for (const [what, kind, changed] of tampered) {
    it(`rejects ${what}`, async () => expect(await kindOf(changed)).to.equal(kind));
  }

  /** The log of a valid pack. The cases below change facts that a holder of the key could sign. */
  const log = packFacts().log;
  const [control] = packFacts().controls;
  const [proof, other] = control!.inclusion_proofs as [
    (typeof control & {})['inclusion_proofs'][number],
    (typeof control & {})['inclusion_proofs'][number],
  ];
  const withPath = (change: (path: string[]) => string[]): Partial<PackFacts> => ({
    controls: [{ ...control!, inclusion_proofs: [{ ...proof, path: change(proof.path) }, other] }],
  });
  const withLog = (change: Partial<PackFacts['log']>): Partial<PackFacts> => ({ log: { ...log, ...change } });
  const withCounts = (change: object): Partial<PackFacts> => ({ controls: [{ ...control!, ...change }] });
  const signed: [string, FailureKind, Partial<PackFacts>][] = [
    ['a path without its first element', 'log', withPath(([, ...rest]) => rest)],
    ['a path without its last element', 'log', withPath((hashes) => hashes.slice(0, -1))],
    ['a path with an additional element', 'log', withPath((hashes) => [...hashes, hashes[0]!])],
    ['a path in another order', 'log', withPath((hashes) => hashes.toReversed())],
    ['a path with another hash', 'log', withPath(([, ...rest]) => ['00'.repeat(32), ...rest])],
    ['an entry with another index', 'log', withCounts({ inclusion_proofs: [{ ...proof, index: 4 }, other] })],
    [
      'an entry with an index after the end of the log',
      'log',
      withCounts({ inclusion_proofs: [{ ...proof, index: 7 }, other] }),
    ],
    ['an entry without its proof', 'log', withCounts({ inclusion_proofs: [proof] })],
    ['another size of the log', 'log', withLog({ tree_size: 8 })],
    ['another root', 'log', withLog({ root_hash: '00'.repeat(32) })],
    ['another size of the log in the previous pack', 'log', withLog({ previous_tree_size: 4 })],
    ['another root of the log in the previous pack', 'log', withLog({ previous_root_hash: logOf(4).root() })],
    [
      'a consistency proof without its first hash',
      'log',
      withLog({ consistency_proof: log.consistency_proof.slice(1) }),
    ],
    [
      'a consistency proof in another order',
      'log',
      withLog({ consistency_proof: log.consistency_proof.toReversed() }),
    ],
    ['counts that do not add up', 'findings', withCounts({ passed: 4 })],
    ['a result that contradicts the counts', 'findings', withCounts({ result: 'satisfied' })],
    [
      'a result without a test',
      'findings',
      withCounts({ population: 0, tested: 0, passed: 0, failed: 0, result: 'satisfied' }),
    ],
    ['aggregates that omit entries', 'findings', { aggregates: { ...packFacts().aggregates, entries: 3 } }],
    [
      'a count that reveals a single entry',
      'findings',
      {
        aggregates: {
          ...packFacts().aggregates,
          by_operation: [
            { key: 'a.b', entries: 1 },
            { key: 'other', entries: 3 },
          ],
        },
      },
    ],
  ];
  for (const [what, kind, change] of signed) {
    it(`rejects ${what}, even in a signed pack`, async () =>
      expect(await kindOf(signedPack(change))).to.equal(kind));
  }

  it('rejects a checkpoint of another log, even in a signed pack', async () => {
    const content = sealPack(packFacts());
    const changed = { ...content, log: { ...content.log, origin: 'assay/wsp_2/sandbox' } };
    expect(await kindOf(signContent(changed))).to.equal('seal');
    expect(await kindOf(signedPack({ workspace_uid: 'wsp_2' }))).to.equal('ok');
  });

  it('rejects a payload that is not in RFC 8785 form, even in a signed pack', async () => {
    const content = sealPack(packFacts());
    const statement = statementOf(content);
    const twice = statement.replace('"predicate":', '"predicate":{},"predicate":');
    for (const payload of [twice, JSON.stringify(JSON.parse(statement), null, 1), `${statement} `]) {
      const signature = signBytes(signer.privateKey, preAuthEncoding(payload));
      const changed = withEnvelope(content, { keyid: signer.keyid, signature });
      changed.envelope.payload = Buffer.from(payload).toString('base64');
      expect(await kindOf(changed)).to.equal('seal');
    }
  });

  it('rejects a signature by a key that was not published or was not valid at the time of signing', async () => {
    const stranger = createKeyPair();
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: stranger.x } as const;
    const keys = [{ ...packFacts().keys[0]!, keyid: stranger.keyid, public_jwk: jwk }];
    const forged = signContent(sealPack(packFacts({ keys })), stranger);
    expect(await kindOf(forged)).to.equal('ok');
    expect(await kindOf(forged, { keys: keySetOf() })).to.equal('signature');
    expect(await kindOf(text, { keys: keySetOf({ x: stranger.x }) })).to.equal('signature');
    expect(await kindOf(text, { keys: keySetOf({ retired_at: '2026-11-01T23:59:59.999Z' }) })).to.equal(
      'signature',
    );
    expect(await kindOf(text, { keys: keySetOf({ retired_at: '2026-11-03T00:00:00.000Z' }) })).to.equal('ok');
    expect(await kindOf(text, { keys: keySetOf({ valid_from: '2026-11-03T00:00:00.000Z' }) })).to.equal(
      'signature',
    );
    const renamed = signContent(sealPack(packFacts({ keys: [{ ...packFacts().keys[0]!, keyid: 'a' }] })));
    expect(await kindOf(renamed)).to.equal('signature');
  });

  it('rejects a signature by a key that was imported with another workspace', async () => {
    const { workspace_uid: own } = packFacts();
    const other = 'wsp_01ARZ3NDEKTSV4RRFFQ69G5FAV';
    expect(await kindOf(text, { keys: importedKeySetOf(own) })).to.equal('ok');
    expect(await kindOf(text, { keys: importedKeySetOf(other, own) })).to.equal('ok');
    for (const keys of [importedKeySetOf(other), importedKeySetOf()])
      expect(await kindOf(text, { keys })).to.equal('signature');
    const unbound = importedKeySetOf().replace(/,"workspace_hashes":\[\]/, '');
    expect(await kindOf(text, { keys: unbound })).to.equal('signature');
  });

  describe('with the previous pack', () => {
    const small = logOf(3);
    const before = signedPack({
      sequence: 1,
      period: { from: '2026-10-01T00:00:00.000Z', to: '2026-11-01T00:00:00.000Z' },
      previous_pack_hash: null,
      log: {
        tree_size: 3,
        root_hash: small.root(),
        previous_tree_size: 0,
        previous_root_hash: small.root(0),
        consistency_proof: [],
      },
      controls: [],
      aggregates: { ...packFacts().aggregates, entries: 3, by_operation: [{ key: 'a.b', entries: 3 }] },
    });
    const previous = JSON.stringify(before);
    const next = (change: Partial<PackFacts> = {}) =>
      kindOf(signedPack({ previous_pack_hash: before.seal.pack_hash, ...change }), { previous });

    it('accepts only a pack that directly follows the previous pack in the chain', async () => {
      expect(await next()).to.equal('ok');
      expect(await next({ sequence: 3 })).to.equal('chain');
      expect(await next({ previous_pack_hash: 'ab'.repeat(32) })).to.equal('chain');
      expect(await next({ period: { ...packFacts().period, from: '2026-11-01T00:00:00.001Z' } })).to.equal(
        'chain',
      );
      expect(await next({ environment: 'production' })).to.equal('chain');
      const reset = { previous_tree_size: 0, previous_root_hash: small.root(0), consistency_proof: [] };
      const all = [{ key: 'a.b', entries: 7 }];
      const aggregates = { ...packFacts().aggregates, entries: 7, by_operation: all };
      expect(await next({ log: { ...log, ...reset }, aggregates })).to.equal('chain');
      expect(
        await kindOf(signedPack(), { previous: previous.replace('"sequence":1', '"sequence":0') }),
      ).to.equal('chain');
    });
  });

  function oddBase64(sig: string): string {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
    const last = sig.indexOf('=') - 1;
    const odd = alphabet[alphabet.indexOf(sig[last]!) ^ 1]!;
    const changed = sig.slice(0, last) + odd + sig.slice(last + 1);
    expect(Buffer.from(changed, 'base64').equals(Buffer.from(sig, 'base64'))).to.equal(true);
    return changed;
  }

  function signedOf(change: Partial<PackFacts>, of: typeof envelope) {
    return { ...of, signatures: signedPack(change).envelope.signatures };
  }
}

describe('the file of the verifier of evidence packs', () => {
  const pack = signedPack();
  const text = JSON.stringify(pack);

  it('I-129: runs alone in an empty folder, with a different exit status for each kind of failure', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'assay-pack-'));
    const alone = path.join(folder, 'verify-pack.mjs');
    await copyFile(VERIFIER, alone);
    const statusOf = async (content: string | undefined, ...words: string[]) => {
      const file = path.join(folder, 'pack.json');
      if (content !== undefined) await writeFile(file, content);
      const given = content === undefined ? words : [file, ...words];
      return run(process.execPath, [alone, ...given], { cwd: folder, env: {} }).then(
        () => 0,
        (error: { code: number }) => error.code,
      );
    };
    const keys = path.join(folder, 'keys.json');
    await writeFile(keys, keySetOf());
    expect(await statusOf(text, '--keys', keys)).to.equal(0);
    expect(await statusOf(undefined)).to.equal(2);
    expect(await statusOf('{}')).to.equal(failureStatus.not_a_pack);
    expect(await statusOf(JSON.stringify({ ...pack, sequence: 3 }))).to.equal(failureStatus.seal);
    expect(
      await statusOf(JSON.stringify(signedPack({ log: { ...packFacts().log, tree_size: 8 } }))),
    ).to.equal(failureStatus.log);
    await rm(folder, { recursive: true });
    expect(new Set(Object.values(failureStatus)).size).to.equal(6);
  });

  it('imports only modules of Node and has at most 255 lines', async () => {
    const source = await readFile(VERIFIER, 'utf8');
    expect(source.trimEnd().split('\n').length).to.be.at.most(255);
    const imported = [...source.matchAll(/from '([^']+)'/g)].map(([, from]) => from);
    expect(imported).to.not.have.lengthOf(0);
    for (const each of imported) expect(each).to.match(/^node:/);
    expect(source).to.not.match(/import\(|require\(|fetch\(/);
  });
});
