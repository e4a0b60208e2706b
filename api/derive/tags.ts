import type { Operation } from '#lib/core/operation.ts';
import type { Product } from '#lib/products.ts';

const descriptions: Record<Product, string> = {
  'AI providers': 'The connections to providers of language models.',
  Access: 'Tokens of applications, by OAuth 2.0 client credentials.',
  Agents: 'The tools that agents may call, and what they called.',
  Benchmarking: 'How models and forecasts did against their benchmarks.',
  Commercial: 'Plans, entitlements and usage of the workspace.',
  Data: 'Market, reference, fundamental and economic data, as they were known on a day.',
  'Financial Actions': 'Obligations, delegations and the governed steps that lead to an action.',
  'Financial data': 'Accounts, balances and transactions.',
  Generative: 'Scenarios and samples of generative models, sealed.',
  Infrastructure: 'The parts that the service runs on, and the lineage of its results.',
  Intelligence: 'What the platform noticed, with its sources.',
  'Investment analytics': 'Sealed analytics of portfolios and markets.',
  Marketplace: 'What is offered to workspaces.',
  'Model building (LQM)': 'Numeric models on governed datasets: builds, checkpoints, evaluations.',
  'Model building (QLM)': 'Language front ends that are bound to a numeric checkpoint.',
  Models: 'The registered models, their versions and their predictions.',
  Planning: 'Forecasts, sealed.',
  Quant: 'Research snapshots, features, and the compute jobs of all heavy work.',
  Trust: 'Evidence: the append-only log, checkpoints and packs.',
  Workflows: 'Governed workflows and their policies.',
  Workspace: 'The workspace, its applications and their credentials.',
};

/** The tags of a catalog in the order of their first use, and that of the pages about the contract itself. */
export function tagsOf(catalog: readonly Operation[]): { name: string; description: string }[] {
  const used = [...new Set(catalog.map((operation) => operation.product))];
  return [
    ...used.map((name) => ({ name, description: descriptions[name] })),
    { name: 'Contract', description: 'The contract about itself.' },
  ];
}
