import { wireMinor } from '#lib/core/money.ts';
import type { HarvestWhy } from './harvest-proposal.ts';
import { gainsOnWire, proposalMembers, type Proposed } from './harvest-result.ts';
import type { TaxHarvestResult1 } from './tax-harvest-result-1.schema.ts';

/** Returns the result without its replacements, as version 1 of the model seals it. */
export function harvestResult1(
  proposed: Proposed,
): Omit<TaxHarvestResult1, 'replacements' | 'tracking_error'> {
  const { proposal } = proposed;
  return {
    ...proposalMembers(proposed),
    not_sold: [...proposal.why].map(([lot, reason]) => ({
      lot: lot.replace(' ', '#'),
      reason: knownReason(reason),
    })),
    lost_minor: wireMinor(proposal.lostForEverMinor),
    recognised: gainsOnWire({
      shortMinor: proposal.recognisedShortMinor,
      longMinor: proposal.recognisedLongMinor,
    }),
    carried_out: gainsOnWire({
      shortMinor: proposal.carriedShortMinor,
      longMinor: proposal.carriedLongMinor,
    }),
    saving_minor: wireMinor(proposal.savingNowMinor),
    net_minor: wireMinor(proposal.netNowMinor),
    repurchase_not_before: [...proposal.repurchaseNotBefore].map(([symbol, on]) => ({ symbol, on })),
  };
}

/** Version 1 reads closes without a currency, so no close is in another currency. */
function knownReason(reason: HarvestWhy): TaxHarvestResult1['not_sold'][number]['reason'] {
  if (reason === 'price_currency') throw new Error('a close of version 1 has a currency');
  return reason;
}
