import Type, { type TSchema } from 'typebox';
import { Closed } from '#lib/core/schema.ts';
import { backtestsRun } from '#lib/quant/backtests/backtests.run.ts';
import type { TableFileInput } from '#lib/quant/backtests/table-file.compute.ts';
import { computeInThread } from '../compute.ts';
import { defineFile } from '../services.ts';

const CSV = 'text/csv';
const PARQUET = 'application/vnd.apache.parquet';
const forms = { json: 'application/json', csv: CSV, parquet: PARQUET } as const;
const file = new URL('../../lib/quant/backtests/table-file.compute.ts', import.meta.url);
const TEXTS = ['decided', 'date', 'symbol'];

type Table = TableFileInput['table'];

/** Declares the operation that downloads a table of a backtest. */
export const tableOf = (name: 'orders' | 'holdings', schema: TSchema, example: string) =>
  defineFile({
    key: `quant.compute.backtests.${name}.get`,
    product: 'Quant',
    method: 'GET',
    path: `/quant/compute/backtests/{uid}/${name}` as '/{uid}',
    scope: 'quant:compute:read',
    addition: true,
    summary: `Downloads the ${name} of a sealed backtest as JSON, CSV or Parquet.`,
    description:
      `The format follows from \`format\`, or otherwise from \`Accept\`. The JSON document is the attachment that the ` +
      `seal covers: the SHA-256 of its RFC 8785 form is \`attachment_hashes.${name}\`. At most 200,000 rows are stored.`,
    query: Closed({
      format: Type.Optional(
        Type.Enum(['json', 'csv', 'parquet'], {
          description: 'The file format. Takes precedence over `Accept`.',
        }),
      ),
    }),
    success: { status: 200, description: `The ${name}.`, schema },
    files: {
      [CSV]: { description: 'RFC 4180 with a header line.', example },
      [PARQUET]: { description: 'Apache Parquet, compressed with Snappy.', example: 'PAR1' },
    },
    problems: ['not_found', 'not_acceptable', 'too_large', 'too_many_waiting'],
    async handle({ services, caller, signal, params, query, accepts, fail }) {
      const type = query.format ? forms[query.format as keyof typeof forms] : accepts(Object.values(forms));
      if (!type) fail('not_acceptable', `The ${name} are available as ${Object.values(forms).join(', ')}.`);
      const found = await services.runs.wait({ caller, signal }, params.uid, 0, [name]);
      if (found?.run.kind !== backtestsRun.key || !found.result)
        fail('not_found', 'There is no such sealed backtest.');
      // The sealed result was already checked against the declaration of the run.
      const table = (found!.result!.attachments as Record<string, Table>)[name]!;
      if (type === forms.json) return { status: 200, headers: { Vary: 'Accept' }, body: table as never };
      const form = type === CSV ? 'csv' : 'parquet';
      const input: TableFileInput = { table, texts: TEXTS, form };
      const content = await computeInThread<TableFileInput, Uint8Array<ArrayBuffer>>(file, input, {
        workspace: caller.workspace,
        signal,
      });
      return { file: content, type: type!, name: `${params.uid}-${name}.${form}` };
    },
  });
