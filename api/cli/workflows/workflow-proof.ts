import type { Command } from 'commander';
import { newestProofs } from '#lib/workflows/proof-of-value/proof.query.ts';
import type { ProofOfValue } from '#lib/workflows/proof-of-value/proof-of-value.entity.ts';
import { withdrawProof } from '#lib/workflows/proof-of-value/withdraw-proof.command.ts';
import { governAs } from '../shell/govern.ts';
import { withPerson, type GovernedOptions } from '../shell/governed.ts';
import { listInPlace } from '../shell/list.ts';
import { withJson } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';

/** Registers the commands for proofs of value. */
export function registerProofs(group: Command): void {
  listInPlace(
    group.command('proofs').description('list the proofs of value, newest first'),
    newestProofs,
    present,
  );
  withPerson(withJson(group.command('withdraw-proof <proof>')))
    .description('withdraw a proof of value that has no verdict yet; one person is enough')
    .action(async (proof: string, options: OutputOptions & GovernedOptions) => {
      const { result } = await governAs(withdrawProof, { proof }, options);
      print(present(result), options);
    });
}

function present({ uid, workflowKey, terms, state, outcome, verdictAt }: ProofOfValue) {
  return {
    uid,
    workflow: workflowKey,
    name: terms.name,
    state,
    from: terms.window.from,
    to: terms.window.to,
    runs: outcome?.measured.n ?? null,
    estimate: outcome?.measured.estimate ?? null,
    verdict_at: verdictAt?.toISOString() ?? null,
  };
}
