import { systemClock } from '#lib/core/clock.ts';
import { approveDataset } from '#lib/data/approve-dataset.command.ts';
import { defineMetric } from '#lib/data/define-metric.command.ts';
import { describeDataset } from '#lib/data/describe-dataset.command.ts';
import { govern } from '#lib/governance/govern.ts';
import type { Backend } from './backends.ts';
import { buildTenancy, type Tenancy } from './build.ts';
import { createCompany } from './company.ts';
import { importCsv } from './import.ts';
import { createSnapshot, importLedger } from './ledger.ts';

/** Writes at least one row to each table of the ledger, of metrics and of numeric datasets. */
export async function fillLedgerTables(backend: Backend, tenancy: Tenancy): Promise<void> {
  const { workspace, person } = tenancy;
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
  const orm = backend.orm('operator');
  const by = (uid: string) => ({ actor: { kind: 'person' as const, uid }, clock: systemClock });
  const said = { owner: person, units: { x: '1' }, licence: 'CC0' };
  await govern(orm, describeDataset, { dataset: { id: dataset.id }, said }, by(person));
  await govern(orm, approveDataset, { dataset: { id: dataset.id } }, by(approver));
  const metric = {
    name: 'tips',
    unit: 'money',
    kind: 'flow',
    isSigned: false,
    description: 'Tips.',
  } as const;
  await govern(orm, defineMetric, { workspace, ...metric }, by(person));
}
