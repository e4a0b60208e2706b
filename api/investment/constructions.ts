import Type from 'typebox';
import { Closed } from '#lib/core/schema.ts';
import type { CovarianceFileInput } from '#lib/investment/construction/covariance-file.compute.ts';
import { Covariance } from '#lib/investment/construction/covariance.schema.ts';
import { constructionRun } from '#lib/investment/construction/construction.run.ts';
import { computeInThread } from '../compute.ts';
import { defineRunList, defineRunRead } from '../run-operations.ts';
import { defineFile } from '../services.ts';

export const listConstructions = defineRunList(constructionRun, {
  key: 'investment.constructions.list',
  product: 'Investment analytics',
  scope: 'investment:read',
  summary: 'Lists portfolio constructions, newest first, without their results.',
  filters: {
    portfolio: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Returns only constructions of the portfolio with this key.',
      }),
    ),
  },
});

export const getConstruction = defineRunRead(constructionRun, {
  key: 'investment.constructions.get',
  product: 'Investment analytics',
  scope: 'investment:read',
  summary: 'Returns a portfolio construction, and optionally waits until the run ends.',
  noun: 'portfolio construction',
  include: [
    { name: 'orders', description: 'Adds the proposed orders, as a file for `assay batch import`.' },
    { name: 'covariance', description: 'Adds the covariance matrix.' },
  ],
});

const CSV = 'text/csv';
const PARQUET = 'application/vnd.apache.parquet';
const forms = { json: 'application/json', csv: CSV, parquet: PARQUET } as const;
const fileOf = new URL('../../lib/investment/construction/covariance-file.compute.ts', import.meta.url);

export const getConstructionCovariance = defineFile({
  key: 'investment.constructions.covariance.get',
  product: 'Investment analytics',
  method: 'GET',
  path: '/investment/constructions/{uid}/covariance',
  scope: 'investment:read',
  addition: true,
  summary: 'Downloads the covariance matrix of a sealed construction as JSON, CSV or Parquet.',
  description:
    'The format is taken from `format`, or otherwise from `Accept`. The JSON document is the attachment that the seal ' +
    'covers: the SHA-256 of its RFC 8785 form is `attachment_hashes.covariance` and `result.covariance_sha256`. A CSV ' +
    'or Parquet file has one row and one column per symbol. A matrix of up to 1,000 symbols is stored with its run.',
  query: Closed({
    format: Type.Optional(
      Type.Enum(['json', 'csv', 'parquet'], {
        description: 'The file format. Takes precedence over `Accept`.',
      }),
    ),
  }),
  success: { status: 200, description: 'The matrix.', schema: Covariance },
  files: {
    [CSV]: {
      description: 'RFC 4180 with a header line.',
      example: 'symbol,AAPL,KO\r\nAAPL,0.0841,0.0122\r\nKO,0.0122,0.0289\r\n',
    },
    [PARQUET]: { description: 'Apache Parquet, compressed with Snappy.', example: 'PAR1' },
  },
  problems: ['not_found', 'not_acceptable', 'too_large', 'too_many_waiting'],
  async handle({ services, caller, signal, params, query, accepts, fail }) {
    const type = query.format ? forms[query.format as keyof typeof forms] : accepts(Object.values(forms));
    if (!type) fail('not_acceptable', `The matrix is available as ${Object.values(forms).join(', ')}.`);
    const found = await services.runs.wait({ caller, signal }, params.uid, 0, ['covariance']);
    if (found?.run.kind !== constructionRun.key || !found.result)
      fail('not_found', 'There is no such sealed portfolio construction.');
    // The sealed result was already checked against the declaration of the run.
    const { covariance } = found!.result!.attachments as { covariance?: Covariance | null };
    const matrix = covariance ?? fail('not_found', 'No matrix was stored, because it has too many symbols.');
    if (type === forms.json) return { status: 200, headers: { Vary: 'Accept' }, body: matrix };
    const form = type === CSV ? 'csv' : 'parquet';
    const input: CovarianceFileInput = { matrix, form };
    const file = await computeInThread<CovarianceFileInput, Uint8Array<ArrayBuffer>>(fileOf, input, {
      workspace: caller.workspace,
      signal,
    });
    return { file, type: type!, name: `${params.uid}.${form}` };
  },
});
