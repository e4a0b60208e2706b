import type { Static } from 'typebox';
import type { Regime } from '../tax/regime.ts';
import type { PortfolioTerms } from './portfolio-event.ts';
import type { PortfolioTermsSchema } from './portfolio-terms.schema.ts';

/** The terms of a portfolio in a group, with the key of its tax regime. */
export type GroupTerms = PortfolioTerms & { taxRegime: Regime['key'] };

/** The members of a recorded portfolio on which its lots depend. */
type Recorded = Omit<GroupTerms, 'portfolio'> & { key: string };

/** The terms of a portfolio in the sealed input of a run. */
type SealedTerms = Static<typeof PortfolioTermsSchema>;

/** Returns those terms of a recorded portfolio on which its lots depend. */
export function portfolioTerms({
  key,
  baseCurrency,
  accountKind,
  lotRelief,
  taxRegime,
  taxEntity,
  washGroup,
}: Recorded): GroupTerms {
  return { portfolio: key, baseCurrency, accountKind, lotRelief, taxRegime, taxEntity, washGroup };
}

/** Returns the terms of a recorded portfolio as the input of a run seals them. */
export function sealedTerms(portfolio: Recorded): SealedTerms {
  return {
    portfolio: portfolio.key,
    base_currency: portfolio.baseCurrency,
    account_kind: portfolio.accountKind,
    lot_relief: portfolio.lotRelief,
    tax_regime: portfolio.taxRegime,
    tax_entity: portfolio.taxEntity,
    wash_group: portfolio.washGroup,
  };
}

/** Returns the terms that `sealedTerms` sealed. */
export function unsealedTerms(terms: SealedTerms): GroupTerms {
  return {
    portfolio: terms.portfolio,
    baseCurrency: terms.base_currency,
    accountKind: terms.account_kind,
    lotRelief: terms.lot_relief,
    taxRegime: terms.tax_regime,
    taxEntity: terms.tax_entity,
    washGroup: terms.wash_group,
  };
}
