import { defineEntity, p } from '@mikro-orm/core';
import { tenantColumns, tenantFilter } from '#lib/database/base.ts';
import type { Regime } from '../tax/regime.ts';
import type { AccountKind, LotRelief } from './portfolio-event.ts';

const PortfolioSchema = defineEntity({
  name: 'Portfolio',
  filters: tenantFilter,
  properties: {
    uid: p.text().primary(),
    ...tenantColumns,
    key: p.text(),
    name: p.text(),
    baseCurrency: p.text(),
    accountKind: p.text().$type<AccountKind>(),
    lotRelief: p.text().$type<LotRelief>(),
    taxRegime: p.text().$type<Regime['key']>(),
    taxEntity: p.text(),
    washGroup: p.text(),
    benchmark: p.text().nullable(),
    openedOn: p.date(),
    createdAt: p.datetime(),
    changedAt: p.datetime(),
  },
});

/** A portfolio and its terms. Its lots, positions and cash are derived from its events. */
export class Portfolio extends PortfolioSchema.class {}
PortfolioSchema.setClass(Portfolio);
