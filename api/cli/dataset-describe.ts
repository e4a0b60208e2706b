import { Option, type Command } from 'commander';
import { Dataset, priceBases, type PriceBasis } from '#lib/data/dataset.entity.ts';
import { asOperator } from './operator.ts';
import { actingPerson, checkText, findWorkspace, withJson } from './options.ts';
import { print, type OutputOptions } from './output.ts';
import { record } from './record.ts';
import { Refusal } from './refusal.ts';

type DescribeOptions = OutputOptions & {
  workspace: string;
  as?: string;
  licence?: string;
  source?: string;
  description?: string;
  priceBasis?: PriceBasis;
};

const TEXTS = ['licence', 'source', 'description'] as const;

/** `assay dataset describe`: what a workspace says of a dataset of its own. What is left out stays as it is. */
export function registerDescribe(group: Command): void {
  withJson(group.command('describe <dataset>'))
    .description('say what a dataset is, where it comes from, and on which terms')
    .requiredOption('--workspace <uid>', 'the workspace that owns it')
    .option('--licence <text>', 'the terms on which it may be used')
    .option('--source <text>', 'where the data come from')
    .option('--description <text>', 'what it is')
    .addOption(
      new Option('--price-basis <basis>', 'of prices: whether closes are divided by later splits').choices(
        priceBases,
      ),
    )
    .option('--as <person>', 'who does it (default: the owner of the workspace)')
    .action(async (uid: string, options: DescribeOptions) => {
      const described = await asOperator((operator) =>
        operator.everywhere(async (em) => {
          const { uid: workspaceUid } = await findWorkspace(em, options.workspace);
          const dataset = await em.findOne(Dataset, { uid, workspaceUid });
          if (!dataset) throw new Refusal('dataset_unknown', `the workspace owns no dataset ${uid}`);
          if (options.priceBasis !== undefined && dataset.kind !== 'prices') {
            throw new Refusal('not_prices', `${uid} is a dataset of ${dataset.kind}`);
          }
          const person = await actingPerson(em, workspaceUid, options.as);
          const said = saidIn(options);
          if (Object.keys(said).length === 0) throw new Refusal('nothing_said', 'name at least one option');
          em.assign(dataset, said);
          const subject = { type: 'dataset', uid };
          await record(em, {
            op: 'dataset.described',
            workspace: workspaceUid,
            by: person.uid,
            subject,
            details: said,
          });
          return dataset;
        }),
      );
      const { kind, name, licence, source, description, priceBasis } = described;
      print(
        {
          uid,
          kind,
          name,
          licence,
          source,
          description,
          ...(kind === 'prices' ? { price_basis: priceBasis } : {}),
        },
        options,
      );
    });
}

function saidIn(
  options: DescribeOptions,
): Partial<Record<(typeof TEXTS)[number], string> & { priceBasis: PriceBasis }> {
  const texts = TEXTS.flatMap((name) => {
    const text = options[name];
    return text === undefined ? [] : [[name, checkText(`--${name}`, text)] as const];
  });
  return {
    ...Object.fromEntries(texts),
    ...(options.priceBasis === undefined ? {} : { priceBasis: options.priceBasis }),
  };
}
