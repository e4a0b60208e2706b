import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { verifyInclusion } from '#lib/audit/merkle-verify.ts';
import { proveInclusion } from '#lib/audit/tree.query.ts';
import { inTenant } from '#lib/database/orm.ts';
import { failureStatus } from '#lib/trust/verify-pack.mjs';
import { buildTenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { happenIn, sealPackOf } from '../../support/evidence-pack.ts';
import { onOneBackend } from '../../support/live.ts';

onOneBackend('entries of the audit log', function (live) {
  it('are proved by a single file if the newest pack covers them', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'assay-proofs-'));
    const tenancy = await buildTenancy(live());
    await happenIn(live(), tenancy, {}, { op: 'key.issued', details: { word: 'schlüssel' } }, {});
    const place = ['--workspace', tenancy.workspace, '--environment', tenancy.environment];
    const prove = (entry: string, file: string) =>
      assay(live(), 'audit', 'prove', entry, file, ...place, '--json');
    const file = path.join(folder, 'proof.json');
    expect((await prove('1', file)).stderr).to.match(/^entry_not_signed: .* 0 entries/);
    const pack = await sealPackOf(live(), tenancy.key);
    const proved = await prove('1', file);
    expect(proved.json).to.deep.equal({ file, entry: 1, pack: pack.uid, tree_size: 3 });
    const keys = path.join(folder, 'keys.json');
    await writeFile(keys, await (await fetch(`${live().url}/.well-known/assay-keys.json`)).text());
    const verified = await assay(undefined, 'verify', file, '--keys', keys, '--json');
    expect(verified.json).to.deep.include({ intact: true, keys_checked: true, index: 1, uid: pack.uid });
    expect(verified.json.entry).to.deep.include({ op: 'key.issued', details: { word: 'schlüssel' } });
    const forged = path.join(folder, 'forged.json');
    await writeFile(forged, (await readFile(file, 'utf8')).replace('schlüssel', 'schlussel'));
    expect((await assay(undefined, 'verify', forged)).status).to.equal(failureStatus.log);
    expect((await prove('3', path.join(folder, 'later.json'))).stderr).to.match(/^entry_not_signed: /);
    expect((await prove('1', file)).stderr).to.match(/^file_exists: /);
    expect((await prove('one', forged)).stderr).to.match(/^number_invalid: /);
    await rm(folder, { recursive: true });
  });

  it('I-120: keep their position in every checkpoint after the pack that covers them', async () => {
    const tenancy = await buildTenancy(live());
    type Shown = { index: number; leaf_hash: string };
    type Pack = { log: { tree_size: number; root_hash: string }; controls: { inclusion_proofs: Shown[] }[] };
    const packs: Pack[] = [];
    for (let count = 1; count <= 4; count += 1) {
      const events = Array.from({ length: count }, () => ({ op: 'key.issued' }) as const);
      await happenIn(live(), tenancy, ...events);
      packs.push(await sealPackOf(live(), tenancy.key));
    }
    const shown = packs.flatMap(({ controls }) => controls.flatMap((each) => each.inclusion_proofs));
    expect(shown.length).to.be.greaterThan(6);
    await inTenant(live().orm('operator'), tenancy, async (em) => {
      for (const { index, leaf_hash: leafHash } of shown) {
        for (const { log } of packs.filter((pack) => pack.log.tree_size > index)) {
          const { tree_size: size, root_hash: root } = log;
          const proof = await proveInclusion(em, index, size);
          expect(verifyInclusion({ leafHash, index, size, root, proof }), `${index} of ${size}`).to.equal(
            true,
          );
        }
      }
    });
  });
});
