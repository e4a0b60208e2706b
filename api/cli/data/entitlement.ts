import type { Command } from 'commander';
import { changeEntitlement } from '#lib/data/rights/change-entitlement.command.ts';
import type { DataEntitlement } from '#lib/data/rights/data-entitlement.entity.ts';
import { entitlementEvents, type EntitlementEvent } from '#lib/data/rights/entitlement.ts';
import { entitlementsOf, findEntitlement } from '#lib/data/rights/entitlements.query.ts';
import { grantEntitlement } from '#lib/data/rights/grant-entitlement.command.ts';
import { EntitlementTerms } from '#lib/data/rights/terms.schema.ts';
import { environmentInUse } from '#lib/access/environment-in-use.query.ts';
import { provenInWorkspace } from '#lib/access/prove-person.command.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { askIn } from '../shell/ask.ts';
import { checked } from '../shell/document.ts';
import { proofOf, withPerson, type GovernedOptions } from '../shell/governed.ts';
import { readBody } from '../shell/governed-kind.ts';
import { governProven } from '../shell/govern.ts';
import { ask } from '../shell/operator.ts';
import { checkText, withJson } from '../shell/options.ts';
import { print, printRows, type OutputOptions } from '../shell/output.ts';
import { inWorkspaceOf } from '../shell/place.ts';
import { datasetOf } from './dataset-governance.ts';

type GrantOptions = OutputOptions &
  GovernedOptions & {
    dataset: string;
    workspace: string;
    file: string;
    licenceHash: string;
    licenceReference?: string;
  };

const descriptions: Record<EntitlementEvent, string> = {
  approve: 'bring a proposed entitlement into force, or resume a suspended one, as a second person',
  suspend: 'suspend an entitlement; its dataset can then no longer be used; one person is enough',
  end: 'end an entitlement permanently; one person is enough',
};

/** Registers the commands for the terms on which workspaces may use datasets. */
export function register(program: Command): void {
  const group = program.command('entitlement');
  withPerson(withJson(group.command('grant')))
    .description(
      'write terms from a JSON file; a second person approves terms on a dataset that the workspace does not own',
    )
    .requiredOption('--dataset <dataset>', 'the id or uid of the dataset')
    .requiredOption('--workspace <uid>', 'the workspace that may use the dataset')
    .requiredOption('--file <file>', 'permissions, prohibitions and duties as a JSON object; - for stdin')
    .requiredOption('--licence-hash <sha256>', 'SHA-256 of the licence document')
    .option('--licence-reference <text>', 'where the licence is filed')
    .action(grant);
  for (const event of entitlementEvents) {
    withPerson(withJson(group.command(`${event} <entitlement>`)))
      .description(descriptions[event])
      .action(async (uid: string, options: OutputOptions & GovernedOptions) => {
        const change = { uid, event };
        print(summary((await governProven(changeEntitlement, change, personOf(options))).result), options);
      });
  }
  inWorkspaceOf(group.command('list'), 'list the entitlements of a workspace, newest first').action(
    async (options: OutputOptions & { workspace: string }) => {
      printRows(await askIn(options, entitlementsOf, options.workspace), options, summary);
    },
  );
  withJson(group.command('show <entitlement>'))
    .description('print an entitlement with its terms')
    .action(async (uid: string, options: OutputOptions) => {
      const found = await ask('everywhere', findEntitlement, uid);
      if (!found) throw new Refusal('entitlement_unknown', 'The data entitlement does not exist.');
      print({ ...summary(found), ...termsOf(found) }, options);
    });
}

async function grant(options: GrantOptions): Promise<void> {
  if (!/^[0-9a-f]{64}$/.test(options.licenceHash))
    throw new Refusal('invalid_hash', '--licence-hash takes 64 lower-case hex digits');
  const input = {
    workspace: options.workspace,
    dataset: datasetOf(options.dataset),
    terms: checked(EntitlementTerms, await readBody(options.file)),
    licenceHash: options.licenceHash,
    licenceReference:
      options.licenceReference === undefined
        ? null
        : checkText('--licence-reference', options.licenceReference),
  };
  print(summary((await governProven(grantEntitlement, input, personOf(options))).result), options);
}

function personOf({ as, code }: GovernedOptions) {
  return (means: ReturnType<typeof proofOf>) => provenInWorkspace(means, { as, code }, environmentInUse);
}

function summary(entitlement: DataEntitlement) {
  const { uid, state, workspaceUid, datasetUid, provider, entitlementHash } = entitlement;
  return {
    uid,
    state,
    workspace: workspaceUid,
    dataset: datasetUid,
    provider,
    entitlement_hash: entitlementHash,
  };
}

function termsOf(entitlement: DataEntitlement) {
  const { permissions, prohibitions, duties, validFrom, validUntil, licenceReference, licenceHash } =
    entitlement;
  return {
    permissions,
    prohibitions,
    duties,
    valid_from: validFrom?.toISOString() ?? null,
    valid_until: validUntil?.toISOString() ?? null,
    licence_reference: licenceReference ?? null,
    licence_hash: licenceHash,
    proposed_by: entitlement.proposedByUid,
    approved_by: entitlement.approvedByUid ?? null,
  };
}
