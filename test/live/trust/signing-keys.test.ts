import { expect } from 'chai';
import { verifyPack } from '#lib/trust/verify-pack.mjs';
import { buildTenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { changePastTriggers, sealPackOf } from '../../support/evidence-pack.ts';
import { onOneBackend } from '../../support/live.ts';
import { asSuperuser } from '../../support/rows.ts';

onOneBackend('evidence packs', function (live) {
  const keySet = async () => (await fetch(`${live().url}/.well-known/assay-keys.json`)).text();
  const seal = ({ key }: { key: string }) => sealPackOf(live(), key);

  it('are signed by a new key after a rotation, while earlier signatures stay valid', async () => {
    const tenancy = await buildTenancy(live());
    const before = await seal(tenancy);
    const rotated = await assay(live(), 'signing-key', 'rotate', '--json');
    expect(rotated.status, rotated.stderr).to.equal(0);
    const after = await seal(tenancy);
    expect(after.keys[0].keyid).to.equal(rotated.json.keyid).and.not.equal(before.keys[0].keyid);
    const keys = await keySet();
    for (const pack of [before, after]) {
      expect(verifyPack(JSON.stringify(pack), { keys })).to.include({ ok: true, keys_checked: true });
    }
    expect(keys).to.not.include('private');
    const listed = await assay(live(), 'signing-key', 'list', '--json');
    expect(listed.json.data[0]).to.include({ keyid: rotated.json.keyid, retired_at: null });
    const { rows } = await asSuperuser(live(), (client) =>
      client.query('select count(private_sealed)::int as kept from signing_key'),
    );
    expect(rows[0].kept).to.equal(1);
  });

  it('can be verified with the published keys even if the clocks of rotation and signing differ', async () => {
    const tenancy = await buildTenancy(live());
    const rotate = () => assay(live(), 'signing-key', 'rotate', '--json');
    // The clock of the operator can be ahead. The test sets `valid_from` of the new key after the current
    // time of the worker.
    await rotate();
    await changePastTriggers(
      live(),
      `update signing_key set valid_from = valid_from + interval '2 seconds' where retired_at is null`,
    );
    const early = await seal(tenancy);
    // The clock of the operator can be behind. The pack `early` then has a later time than this rotation.
    await rotate();
    const late = await seal(tenancy);
    const keys = await keySet();
    for (const pack of [early, late]) {
      expect(verifyPack(JSON.stringify(pack), { keys })).to.include({ ok: true, keys_checked: true });
    }
    expect(verifyPack(JSON.stringify(late), { previous: JSON.stringify(early), keys })).to.include({
      ok: true,
    });
  });
});
