import { expect } from 'chai';
import type { Em, Tenant } from '#lib/database/base.ts';
import { inTenant } from '#lib/database/orm.ts';
import { actionKind } from '#lib/actions/authority/action.ts';
import { connectorKind } from '#lib/actions/authority/connector.ts';
import { roleKind } from '#lib/actions/authority/role.ts';
import { inForce } from '#lib/governance/governed/governed-record.write.ts';
import { withRecords } from '#lib/governance/governed/records-once.query.ts';
import { governedSample } from '../../support/govern.ts';
import { onOneBackend } from '../../support/live.ts';

onOneBackend('A decision that has read its governed records', (live) => {
  const action = { kind: actionKind, key: 'obligation.pay' };
  const wanted = { kinds: [roleKind], keys: [action] };
  let tenant: Tenant;
  before(async () => {
    const { workspace } = await governedSample(live());
    tenant = { workspace, environment: 'sandbox' };
  });

  /** Returns the number of statements that `work` sends past the ORM. */
  async function statementsIn(em: Em, work: () => Promise<unknown>): Promise<number> {
    const getKysely = em.getKysely.bind(em);
    let sent = 0;
    em.getKysely = ((...given: Parameters<typeof getKysely>) => {
      sent += 1;
      return getKysely(...given);
    }) as typeof em.getKysely;
    try {
      await work();
    } finally {
      em.getKysely = getKysely;
    }
    return sent;
  }

  it('finds the same records as a decision that reads them one by one', async () => {
    await inTenant(live().orm('api'), tenant, async (em) => {
      const read = async () => [
        (await inForce(em, roleKind, tenant)).map(({ uid }) => uid),
        (await inForce(em, actionKind, tenant, action.key)).map(({ uid }) => uid),
        (await inForce(em, actionKind, tenant, 'no.action')).map(({ uid }) => uid),
        (await inForce(em, connectorKind, tenant)).map(({ uid }) => uid),
      ];
      const plain = await read();
      expect(plain[0]).not.to.deep.equal([]);
      expect(plain[1]).to.have.lengthOf(1);
      expect(await withRecords(em, tenant, wanted, read)).to.deep.equal(plain);
    });
  });

  it('reads only what it has not read', async () => {
    await inTenant(live().orm('api'), tenant, (em) =>
      withRecords(em, tenant, wanted, async () => {
        const sent = (work: () => Promise<unknown>) => statementsIn(em, work);
        expect(await sent(() => inForce(em, roleKind, tenant))).to.equal(0);
        expect(await sent(() => inForce(em, actionKind, tenant, action.key))).to.equal(0);
        expect(await sent(() => inForce(em, actionKind, tenant)), 'every action').to.equal(1);
        const other = { ...tenant, environment: 'production' } as const;
        expect(await sent(() => inForce(em, roleKind, other)), 'another environment').to.equal(1);
      }),
    );
  });

  it('reads them again after the decision, also if the decision failed', async () => {
    await inTenant(live().orm('api'), tenant, async (em) => {
      const failed = withRecords(em, tenant, wanted, () => Promise.reject(new Error('failed')));
      expect(await failed.catch(({ message }: Error) => message)).to.equal('failed');
      expect(await statementsIn(em, () => inForce(em, roleKind, tenant))).to.equal(1);
    });
  });
});
