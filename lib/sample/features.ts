import { defineFeature } from '#lib/data/feature/define-feature.command.ts';
import { unprovenPerson } from '#lib/access/prove-person.command.ts';
import { governWith, type SampleOperators } from './sample-operators.ts';

const samples = [
  {
    key: 'momentum_12_1',
    unit: 'return',
    expression: 'lag(adj_close, 1) / lag(adj_close, 12) - 1',
    description: 'The return over eleven months, ending one month ago.',
  },
  {
    key: 'volatility_12m',
    unit: 'return',
    expression: 'sd(log_return(adj_close, 1), 12)',
    description: 'The standard deviation of the monthly log returns over twelve months.',
  },
  {
    key: 'return_1m',
    unit: 'return',
    expression: 'return(adj_close, 1)',
    description: 'The return of a month.',
  },
];

/**
 * Creates three features of the sample prices. Running it again changes nothing. The worker computes their
 * values.
 */
export async function seedFeatures(
  operators: SampleOperators,
  workspace: string,
  dataset: string,
): Promise<void> {
  for (const sample of samples) {
    const common = { entityType: 'instrument', frequency: 'monthly', maxAgeDays: 45 } as const;
    const input = { ...sample, ...common, workspace, dataset };
    await governWith(operators, defineFeature, input, unprovenPerson(undefined));
  }
}
