import { sql } from 'kysely';
import { approveNumericDataset, describeNumericDataset } from '#lib/data/numeric-dataset.repository.ts';
import { inTenant } from '#lib/database/orm.ts';
import type { Backend } from './backends.ts';
import { buildTenancy, type Tenancy } from './build.ts';
import { createCompany } from './company.ts';
import { importCsv } from './import.ts';
import { createSnapshot, importLedger } from './ledger.ts';

/** A row at least in each table of the ledger, of metrics and of numeric datasets. */
export async function fillLedgerTables(backend: Backend, tenancy: Tenancy): Promise<void> {
  const { workspace, environment, person } = tenancy;
  const card = '2024-05-01,,debit,EUR,3,main,,Card,,';
  await importLedger(backend, tenancy, [`${card}pending,fill,`]);
  await importLedger(backend, tenancy, [`${card}posted,fill,`]);
  await createSnapshot(backend, tenancy);
  const company = await createCompany(backend, workspace);
  await importCsv(backend, workspace, 'metrics', [
    'company_id,metric,period,value',
    `${company},headcount,2024,3`,
  ]);
  const { dataset } = await importCsv(backend, workspace, 'numeric', ['x', '1']);
  const { person: approver } = await buildTenancy(backend, { workspace });
  await inTenant(backend.orm('operator'), { workspace, environment }, async (em) => {
    const now = new Date();
    await describeNumericDataset(
      em,
      dataset.id,
      { owner: person, units: { x: '1' }, licence: 'CC0' },
      { by: person, now },
    );
    await approveNumericDataset(em, dataset.id, { by: approver, now });
    await sql`
      insert into metric_definition (workspace_uid, name, unit, kind, is_signed, description, created_by_uid, created_at)
      values (${workspace}, 'tips', 'money', 'flow', false, 'Tips.', ${person}, ${now.toISOString()})
    `.execute(em.getKysely());
  });
}
