import { expect } from 'chai';
import { verifyPack, type FailureKind } from '#lib/trust/verify-pack.mjs';
import { entryText, keySetOf, logOf, signedPack } from '../../support/signed-pack.ts';
import { verifierOfPage } from '../../support/verify-page.ts';
import { strideOf } from '../../support/repetitions.ts';

type Verify = (
  text: string,
  options?: { keys?: string },
) => Promise<{ ok: true; keys_checked: boolean } | { ok: false; kind: FailureKind }>;

const implementations: [string, Verify][] = [
  ['by the verifier', async (text, options) => verifyPack(text, options)],
  ['by the page', verifierOfPage()],
];

const pack = signedPack();
const log = logOf(7);

function proofOf(index: number, change: object = {}) {
  const inclusion = { entry: entryText(index), index, path: log.proof(index).path };
  return { schema: 'svc.inclusion-proof/1', inclusion: { ...inclusion, ...change }, pack };
}

for (const [name, verify] of implementations) {
  describe(`the proof of a log entry (verified by ${name})`, () => {
    const kindOf = async (proof: unknown) => {
      const outcome = await verify(typeof proof === 'string' ? proof : JSON.stringify(proof));
      return outcome.ok ? 'ok' : outcome.kind;
    };

    it('is valid for every entry of the log whose root the evidence pack signs', async () => {
      for (let index = 0; index < 7; index += 1) expect(await kindOf(proofOf(index))).to.equal('ok');
      const checked = await verify(JSON.stringify(proofOf(4)), { keys: keySetOf() });
      expect(checked).to.include({ ok: true, keys_checked: true });
    });

    it('is invalid after the change of any single bit of the members before `pack`', async () => {
      const text = JSON.stringify(proofOf(4));
      const [start, end] = [0, text.indexOf('"pack"') + 8];
      const taken: number[] = [];
      for (let at = start; at < end; at += strideOf(7)) {
        const bytes = Buffer.from(text);
        bytes[at]! ^= 1;
        if ((await verify(bytes.toString())).ok) taken.push(at);
      }
      expect(taken).to.deep.equal([]);
    });

    it('is invalid with another entry, index, path or pack', async () => {
      const { path } = log.proof(4);
      const odd = [
        { entry: entryText(5) },
        { entry: `${entryText(4)} ` },
        { index: 5 },
        { index: 7 },
        { index: -1 },
        { index: '4' },
        { path: path.slice(1) },
        { path: [...path, path[0]] },
        { path: path.toReversed() },
        { path: [] },
      ];
      for (const change of odd)
        expect(await kindOf(proofOf(4, change)), JSON.stringify(change)).to.equal('log');
      expect(await kindOf({ ...proofOf(4), pack: { ...pack, sequence: 3 } })).to.equal('seal');
    });

    it('is invalid with a missing or an additional member', async () => {
      const { inclusion, ...bare } = proofOf(4);
      const { pack: _, ...unsigned } = proofOf(4);
      const odd = [bare, unsigned, { ...bare, inclusion: {} }, { ...proofOf(4), note: 'approved' }];
      for (const proof of odd) expect(await kindOf(proof)).to.equal('not_a_pack');
      expect(await kindOf({ ...bare, inclusion: { ...inclusion, note: 1 } })).to.equal('not_a_pack');
      const twice = JSON.stringify(proofOf(4)).replace('"index":4', '"index":4,"index":4');
      expect(await kindOf(twice)).to.equal('not_a_pack');
    });
  });
}
