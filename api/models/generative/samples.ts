import Type from 'typebox';
import type { FileReply, Operation } from '#lib/core/operation.ts';
import type { Product } from '#lib/products.ts';
import type { Scope } from '#lib/core/scope.ts';
import { Closed, Sha256Of } from '#lib/core/schema.ts';
import { Factor } from '#lib/models/registry/checkpoint.schema.ts';
import type { PathInput } from '#lib/models/scenarios/paths.schema.ts';
import type { ScenarioInput } from '#lib/models/scenarios/scenarios.schema.ts';
import { findSamples } from '#lib/models/scenarios/samples.query.ts';
import { defineFile } from '../../services.ts';

const BYTES = 'application/octet-stream';
const JSON_FORM = 'application/json';
const sampleForms = [BYTES, JSON_FORM] as const;

const sampleFiles = {
  [BYTES]: {
    description:
      'The samples as little-endian doubles: sample by sample, and within a path month by month, then factor by factor. The SHA-256 of the ' +
      'file is `samples_hash`.',
    example: '(8 bytes a number)',
  },
};

const SampleLayout = Closed(
  {
    rows: Type.Integer({ minimum: 1, description: 'Number of samples or paths.', examples: [5_000] }),
    months: Type.Integer({ minimum: 1, description: 'Months per row; 1 for scenarios.', examples: [1] }),
    factors: Type.Array(Factor, { description: 'The factors of a month, in column order.' }),
    bytes: Type.Integer({ minimum: 1, description: 'Size of the matrix in bytes.', examples: [400_000] }),
    samples_hash: Sha256Of('SHA-256 of the matrix, as sealed with the run.'),
  },
  { title: 'SampleLayout', description: 'Layout of the sample matrix of a run.' },
);

type SamplesOf = { key: string; product: Product; path: string; scope: Scope; kinds: readonly string[] };

/** Declares the operation that downloads the samples of runs of the given kinds. */
export function defineSamples({ kinds, path, ...operation }: SamplesOf): Operation {
  return defineFile({
    ...operation,
    method: 'GET',
    path: `${path}/{uid}/samples` as '/{uid}/samples',
    addition: true,
    summary: 'Downloads the samples of a sealed run, or describes their layout as JSON.',
    description:
      'The `Accept` header chooses between the bytes and their layout. `samples_hash` is the SHA-256 of the bytes. Samples of up to 16 MiB are stored with their run. Replay the run to get larger samples.',
    success: { status: 200, description: 'The layout.', schema: SampleLayout },
    files: sampleFiles,
    problems: ['not_found', 'not_acceptable'],
    async handle({ services, params, accepts, fail }) {
      const form = accepts(sampleForms) as (typeof sampleForms)[number] | undefined;
      if (!form) fail('not_acceptable', `The samples are available as ${sampleForms.join(', ')}.`);
      const found =
        (await services.query(findSamples, params.uid, kinds)) ??
        fail('not_found', 'No samples are stored for a sealed run with this uid.');
      return presentSamples(found, form!);
    },
  });
}

/** Presents the samples of a run: either their bytes, or a description of the layout of these bytes. */
function presentSamples(
  found: NonNullable<Awaited<ReturnType<typeof findSamples>>>,
  form: (typeof sampleForms)[number],
) {
  const { uid } = found.run;
  const { content } = found;
  if (form === BYTES) return { file: content, type: BYTES, name: `${uid}.f64` } satisfies FileReply;
  // The sealed record was already checked against the declaration of the run.
  const { input, members } = { input: found.run.input, members: found.members } as unknown as {
    input: ScenarioInput | PathInput;
    members: { result: { hashes: { samples_hash: string } } };
  };
  const body = {
    rows: 'paths' in input ? input.paths : input.samples,
    months: 'paths' in input ? input.horizon : 1,
    factors: input.context.factors,
    bytes: content.byteLength,
    samples_hash: members.result.hashes.samples_hash,
  };
  return { status: 200 as const, headers: { Vary: 'Accept' }, body };
}
