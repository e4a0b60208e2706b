import { knownPlace, unknownWorkspace } from '#lib/access/known-place.query.ts';
import type { Tenant } from '#lib/database/base.ts';
import { defineCommand } from '#lib/governance/command.ts';
import { lockPortfolios } from './portfolio-lock.query.ts';
import type { PortfolioRow } from './portfolio-row.ts';
import { Portfolio } from './portfolio.entity.ts';
import { findPortfolio } from './portfolio.query.ts';
import { writePortfolios } from './portfolio.write.ts';

/** Records one portfolio. */
export const createPortfolio = defineCommand<Tenant & { portfolio: PortfolioRow }>()({
  find: knownPlace,
  unknown: 'workspace_unknown',
  lock: (em, _input, place) => lockPortfolios(em, place),
  facts: async (em, _locked, { portfolio: { key } }) => ({ known: await findPortfolio(em, key) }),
  decide: ({ known }): { ok: true } | { ok: false; code: 'portfolio_exists' } =>
    known === null ? { ok: true } : { ok: false, code: 'portfolio_exists' },
  async write(em, _facts, _verdict, { place, input, now }) {
    await writePortfolios(em, place, [input.portfolio], now);
    return { result: await em.findOneOrFail(Portfolio, { key: input.portfolio.key }) };
  },
  entry: (_facts, verdict, { portfolio: { key } }, created) =>
    verdict.ok && created
      ? { op: 'portfolio.created', subject: { type: 'portfolio', uid: created.uid }, details: { key } }
      : undefined,
  refusals: { ...unknownWorkspace, portfolio_exists: 'A portfolio with this key exists already.' },
});
