import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, IsoDate, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { pinnedPortfolio } from '#lib/investment/portfolios/pinned-portfolio.schema.ts';
import { PortfolioName, riskBases } from '#lib/investment/risk/risk-request.schema.ts';
import { Assets } from './asset.schema.ts';
import { BLOCK_MAX } from './simulation-limits.ts';

export const methods = ['independent', 'circular', 'stationary'] as const;

const Method = Type.Enum([...methods], {
  description:
    'How months are drawn: `independent` single months, `circular` blocks of equal length, or `stationary` blocks of random length. Default: stationary.',
});
const Block = Type.Union(
  [
    Type.Literal('auto', {
      description: 'The block length of Politis and White (2004) for the returns of the portfolio.',
    }),
    Type.Integer({ minimum: 1, maximum: BLOCK_MAX, description: 'Length in months.', examples: [6] }),
  ],
  {
    description:
      'Length of a block in months, the mean length for `stationary`. Not used by `independent`. Default: auto.',
  },
);
const kind = Type.Literal('history', { description: 'Returns are drawn from past months.' });
const Basis = Type.Enum([...riskBases], {
  description:
    'Returns of the portfolio. `current_holdings`: past returns of its positions and cash at their weights on the last day. `realised`: time-weighted returns of the portfolio as it was held. Only with `portfolio`. Default: current_holdings.',
});
const BacktestUid = Uid(prefixes.backtest, 'A sealed backtest, whose curve gives the returns.');

export const RequestedHistory = Closed(
  {
    kind,
    symbols: Type.Optional(Assets('Symbols of the assets.')),
    portfolio: Type.Optional({
      ...PortfolioName,
      description:
        'Uid or key of a portfolio, which is then the only asset. The positions on the last day are used.',
    }),
    basis: Type.Optional(Basis),
    backtest_uid: Type.Optional(BacktestUid),
    from: Type.Optional({
      ...IsoDate,
      description: 'First day of the history. Default: the first day on which all prices are known.',
    }),
    to: Type.Optional({
      ...IsoDate,
      description: 'Last day of the history. Default: the newest price, or the last day of the backtest.',
    }),
    method: Type.Optional(Method),
    block: Type.Optional(Block),
  },
  {
    title: 'HistorySource',
    description:
      'Monthly returns of symbols, of a portfolio or of a sealed backtest, drawn with replacement. Exactly one of `symbols`, `portfolio` and `backtest_uid` is given.',
  },
);
export type RequestedHistory = Static<typeof RequestedHistory>;

export const ResolvedHistory = Closed(
  {
    kind,
    portfolio: Type.Optional(
      Closed(
        { ...pinnedPortfolio, basis: Basis },
        { description: 'The portfolio whose returns are drawn. Absent for another history.' },
      ),
    ),
    backtest: Type.Optional(
      Closed(
        { uid: BacktestUid, result_hash: Sha256Of('Hash of the result of the backtest.') },
        { description: 'The backtest whose returns are drawn. Absent for another history.' },
      ),
    ),
    from: Nullable(IsoDate, 'First day of the history; null for the day of the first price.'),
    to: { ...IsoDate, description: 'Last day of the history.' },
    method: Method,
    block: Block,
  },
  { description: 'A history.' },
);
export type ResolvedHistory = Static<typeof ResolvedHistory>;
