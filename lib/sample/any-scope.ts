/** The scope of a policy that applies to every action, in every environment. */
export const anyScope = {
  environments: [],
  actions: [],
  connectors: [],
  currencies: [],
  counterparties: [],
  risk_tiers: [],
  execution_modes: [],
};
