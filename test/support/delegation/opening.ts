import type { Auditor } from './auditor.ts';
import { nodes, plainTerms } from './world.ts';

/**
 * Makes each call once in a situation in which the call must be refused, and once in a situation in which it
 * must be allowed. A sequence that begins in this way contains both answers to every call.
 */
export async function everyAnswer(auditor: Auditor): Promise<void> {
  const { budgets } = plainTerms;
  await auditor.create({ nodes, budgets: { ...budgets, per_month_minor: budgets.per_day_minor - 1 } });
  await turnDown(auditor);
  const of = (await auditor.create({ nodes, budgets }))!;
  await auditor.suspend(of);
  await auditor.revoke(of);
  for (const application of ['desk', 'ann', 'ben', 'cyd']) await auditor.approve(of, application);
  await use(auditor, of);
  await auditor.resume(of, 'ann');
  await auditor.suspend(of);
  for (const person of ['ann', 'ben', 'cyd']) await auditor.resume(of, person);
  await auditor.revoke(of);
}

type Delegation = Auditor['seen'][number];

async function turnDown(auditor: Auditor): Promise<void> {
  const draft = (await auditor.create({ nodes, budgets: plainTerms.budgets }))!;
  for (const person of ['ida', 'ann']) await auditor.reject(draft, person);
}

async function use(auditor: Auditor, of: Delegation): Promise<void> {
  await auditor.spend(of, of.budgets.per_action_minor + 1);
  await auditor.spend(of, 1);
  await auditor.spend(of, 1);
  const [settled, released] = auditor.held;
  for (const actual of [0, 1]) await auditor.settle(settled!, actual);
  for (const held of [settled!, released!]) await auditor.release(held);
}
