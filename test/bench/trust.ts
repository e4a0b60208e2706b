import type { Bench } from './bench.ts';
import { packRows } from './trust/packs.ts';

/** What is measured, each from a module of its own. */
const parts = [packRows];

export const bench: Bench = {
  summary: 'evidence packs: to make one over a log, and to check it',
  targets:
    'pack: <= 10 x the hashing of the same entries and of the tree over them: beside that each entry is read, put in its ' +
    'form again and compared, and so is each node that is stored. verify: only shown, beside the one signature in it.',
  async run(context) {
    const rows = [];
    for (const part of parts) rows.push(...(await part(context)));
    return rows;
  },
};
