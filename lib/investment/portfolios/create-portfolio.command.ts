import { knownPlace, unknownWorkspace } from '#lib/access/known-place.query.ts';
import type { Tenant } from '#lib/database/base.ts';
import { defineCommand } from '#lib/governance/command.ts';
import { lockPortfolios } from './portfolio-lock.query.ts';
import type { PortfolioRow } from './portfolio-row.ts';
import { Portfolio } from './portfolio.entity.ts';
import { bookSettledOrders } from './settled-order.write.ts';
import { writePortfolios } from './portfolio.write.ts';

/** Records one portfolio. Orders that were settled before the portfolio existed become its events. */
export const createPortfolio = defineCommand<Tenant & { portfolio: PortfolioRow }>()({
  find: knownPlace,
  unknown: 'workspace_unknown',
  lock: (em, _input, place) => lockPortfolios(em, place),
  facts: async (em, _locked, { portfolio: { key } }) => ({ known: await em.findOne(Portfolio, { key }) }),
  decide: ({ known }): { ok: true } | { ok: false; code: 'portfolio_exists' } =>
    known === null ? { ok: true } : { ok: false, code: 'portfolio_exists' },
  async write(em, _facts, _verdict, { place, input, now }) {
    await writePortfolios(em, place, [input.portfolio], now);
    const { key } = input.portfolio;
    const settledOrders = await bookSettledOrders(em, place, [key], now);
    return { result: { portfolio: await em.findOneOrFail(Portfolio, { key }), settledOrders } };
  },
  entry: (_facts, verdict, { portfolio: { key } }, created) =>
    verdict.ok && created
      ? {
          op: 'portfolio.created',
          subject: { type: 'portfolio', uid: created.portfolio.uid },
          details: { key, settled_orders: created.settledOrders },
        }
      : undefined,
  refusals: { ...unknownWorkspace, portfolio_exists: 'A portfolio with this key already exists.' },
});
