import { Option, type Command } from 'commander';
import { environmentInUse } from '#lib/access/environment-in-use.query.ts';
import { provenInWorkspace } from '#lib/access/prove-person.command.ts';
import { isUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { faultsText } from '#lib/governance/refusal.ts';
import { runs } from '#lib/runs.ts';
import { changeItem } from '#lib/workflows/catalogue/change-item.command.ts';
import { findItem, libraryItems, offersOf } from '#lib/workflows/catalogue/library-items.query.ts';
import type { ItemEvent, LibraryItem } from '#lib/workflows/catalogue/library-item.ts';
import { offerItem } from '#lib/workflows/catalogue/offer-item.command.ts';
import { readDefinition } from '#lib/workflows/definition.ts';
import { categories, type Category } from '#lib/workflows/library.ts';
import { askIn } from '../shell/ask.ts';
import { governBy } from '../shell/govern.ts';
import { proofOf, withPerson, type GovernedOptions } from '../shell/governed.ts';
import { asOperator } from '../shell/operator.ts';
import { checkText, withJson } from '../shell/options.ts';
import { print, printRows, type OutputOptions } from '../shell/output.ts';
import { inWorkspaceOf } from '../shell/place.ts';
import { readJson } from './workflow-json.ts';

type Place = OutputOptions & { workspace: string };
type Offer = Place & GovernedOptions & { category: Category; publisher: string };
export type ItemChange = OutputOptions & GovernedOptions & { workspace?: string };

const OFFERS_SHOWN = 200;

/** Registers the commands for the library of workflows. */
export function registerLibrary(group: Command): void {
  inWorkspaceOf(group.command('library'), 'list the library, and the offers of the workspace').action(list);
  withPerson(withJson(group.command('offer <file>')))
    .description(
      'offer a workflow to every workspace; a second person must approve the offer; takes a JSON file',
    )
    .requiredOption('--workspace <uid>', "the uid of the operator's workspace")
    .addOption(
      new Option('--category <category>', 'the category of the workflow')
        .choices(categories)
        .makeOptionMandatory(),
    )
    .requiredOption('--publisher <name>', 'the name of the publisher, which every workspace sees')
    .action(offer);
  withPerson(withJson(group.command('deprecate <item>')))
    .description('deprecate an item of the library: a uid, or KEY@VERSION with --workspace')
    .option('--workspace <uid>', "the uid of the operator's workspace, for KEY@VERSION")
    .action((item: string, options: ItemChange) => changeLibrary('deprecate', item, options));
}

async function list({ workspace, ...options }: Place): Promise<void> {
  const items = await askIn({ workspace }, libraryItems);
  const offers = await askIn({ workspace }, offersOf, { workspace, limit: OFFERS_SHOWN });
  const proposed = offers.filter(({ state }) => state === 'proposed');
  printRows([...items, ...proposed], options, present);
}

async function offer(file: string, options: Offer): Promise<void> {
  const read = readDefinition(await readJson(file), runs);
  if (!read.ok) throw new Refusal('definition_invalid', faultsText(read.faults));
  const { workspace, category } = options;
  const publisher = checkText('--publisher', options.publisher);
  const { definition, digest } = read;
  const input = { workspace, definition, digest, category, publisher };
  const { result } = await asOperator((operator) =>
    governBy(operator, offerItem, input, provenInWorkspace(proofOf(operator), options, environmentInUse)),
  );
  print({ ...present(result), next: `assay workflow approve ${result.uid} --as <another person>` }, options);
}

/** Approves, deprecates or withdraws an item of the library, named by its uid or as KEY@VERSION. */
export async function changeLibrary(event: ItemEvent, named: string, options: ItemChange): Promise<void> {
  const { result } = await asOperator(async (operator) => {
    const item = await (isUid(named, prefixes.workflowLibraryItem)
      ? operator.query('everywhere', findItem, named)
      : itemNamed(named, options.workspace));
    if (!item) throw new Refusal('library_item_unknown', 'the library has no such workflow or version');
    const actor = provenInWorkspace(proofOf(operator), options, environmentInUse);
    return governBy(operator, changeItem, { ...item, event }, actor);
  });
  print(present(result), options);
}

/** Whether a text names an item of the library. */
export function namesItem(text: string): boolean {
  return isUid(text, prefixes.workflowLibraryItem) || text.includes('@');
}

function itemNamed(named: string, workspace: string | undefined) {
  const [, key, version] = /^([a-z0-9-]{1,64})@([1-9]\d{0,5})$/.exec(named) ?? [];
  if (key === undefined) throw new Refusal('library_item_unknown', 'an item is a uid, or KEY@VERSION');
  if (workspace === undefined) throw new Refusal('workspace_missing', 'KEY@VERSION needs --workspace');
  return { workspace, key, version: Number(version) };
}

function present(item: LibraryItem & { uid?: string }) {
  const { uid = null, key, version, state, origin, category, publisher, digest, definition } = item;
  return { uid, key, version, state, origin, category, publisher, title: definition.title, digest };
}
