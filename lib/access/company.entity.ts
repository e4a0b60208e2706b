import { defineEntity, p } from '@mikro-orm/core';
import { workspaceFilter } from '#lib/database/base.ts';

const CompanySchema = defineEntity({
  name: 'Company',
  filters: workspaceFilter,
  properties: {
    id: p.integer().primary(),
    workspaceUid: p.text(),
    /** Name of the company, unique in the workspace. */
    name: p.text(),
    createdAt: p.datetime(),
  },
});

/** A company whose metrics a workspace follows. The API returns `id` as `company_id`. */
export class Company extends CompanySchema.class {}
CompanySchema.setClass(Company);
