import { systemClock } from '#lib/core/clock.ts';
import { defineFeature } from '#lib/data/feature/define.repository.ts';
import type { Em } from '#lib/database/base.ts';
import { actingPerson } from './options.ts';
import { record } from './record.ts';

const samples = [
  {
    key: 'momentum_12_1',
    unit: 'return',
    expression: 'lag(adj_close, 1) / lag(adj_close, 12) - 1',
    description: 'The return of eleven months, until a month ago.',
  },
  {
    key: 'volatility_12m',
    unit: 'return',
    expression: 'sd(log_return(adj_close, 1), 12)',
    description: 'The standard deviation of the monthly log returns of a year.',
  },
  {
    key: 'return_1m',
    unit: 'return',
    expression: 'return(adj_close, 1)',
    description: 'The return of a month.',
  },
];

/** Three features of the sample prices; again changes nothing. Their values are computed by the clock. */
export async function seedFeatures(em: Em, workspace: string, dataset: string): Promise<void> {
  const { uid: by } = await actingPerson(em, workspace, undefined);
  for (const sample of samples) {
    const outcome = await defineFeature(em, {
      ...sample,
      workspace,
      dataset,
      by,
      owner: by,
      entityType: 'instrument',
      frequency: 'monthly',
      maxAgeDays: 45,
      now: systemClock.now(),
    });
    if (!outcome.ok || outcome.change === 'unchanged') continue;
    const { feature, version, change } = outcome;
    const subject = { type: 'feature', uid: feature.uid, version };
    await record(em, { op: `feature.${change}`, workspace, by, subject, details: { key: sample.key } });
  }
}
