import { Option, type Command } from 'commander';
import { isUid } from '#lib/core/id.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { scopes } from '#lib/core/scope.ts';
import { directions, type Direction } from '#lib/infrastructure/lineage/graph.ts';
import { readGraph } from '#lib/infrastructure/lineage/read-graph.query.ts';
import { lineagePlaces } from '#lib/infrastructure/lineage/subject-place.query.ts';
import { lineageTree } from '#lib/infrastructure/lineage/tree.ts';
import { runs } from '#lib/runs.ts';
import { asOperator } from '../shell/operator.ts';
import { withJson } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { wholeNumber } from '../shell/whole-number.ts';

type ShowOptions = OutputOptions & { direction: Direction; depth: number };

/** Registers the command that shows the lineage of a record. */
export function register(program: Command): void {
  const group = program.command('lineage');
  withJson(group.command('show <uid>'))
    .description(
      'draw the lineage of a dataset, run, model, workflow run, obligation or order batch as a tree',
    )
    .addOption(new Option('--direction <direction>', 'the direction').choices(directions).default('both'))
    .addOption(
      new Option('--depth <steps>', 'the number of steps, 1 to 10')
        .argParser((text) => wholeNumber('--depth', text, [1, 10]))
        .default(5),
    )
    .action(show);
}

async function show(uid: string, options: ShowOptions): Promise<void> {
  const { direction, depth } = options;
  const unknown = new Refusal('record_unknown', 'No lineage is known for a record with this uid.');
  if (!isUid(uid)) throw unknown;
  const reader = {
    scopes: new Set<string>(scopes),
    scopeOfRun: Object.fromEntries(Object.values(runs).map(({ key, scope }) => [key, scope])),
  };
  const found = await asOperator(async (operator) => {
    const place = (await operator.query('everywhere', lineagePlaces, uid))[0];
    return place && operator.query(place, readGraph, { uid, direction, depth, reader });
  });
  if (!found) throw unknown;
  if (options.json) print({ subject: found.subject, ...found.graph }, options);
  else process.stdout.write(`${lineageTree(found.graph, found.subject).join('\n')}\n`);
}
