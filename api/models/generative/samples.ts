import Type from 'typebox';
import type { FileReply, Operation } from '#lib/core/operation.ts';
import type { Product } from '#lib/core/product.ts';
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
      'The doubles themselves, little-endian: sample by sample, of paths month by month, factor by factor. SHA-256 of the ' +
      'file is `samples_hash`.',
    example: '(8 bytes a number)',
  },
};

const SampleLayout = Closed(
  {
    rows: Type.Integer({ minimum: 1, description: 'Samples or paths.', examples: [5_000] }),
    months: Type.Integer({ minimum: 1, description: 'Months of a row; 1 of scenarios.', examples: [1] }),
    factors: Type.Array(Factor, { description: 'The factors of a month in their order.' }),
    bytes: Type.Integer({ minimum: 1, description: 'Size of the matrix.', examples: [400_000] }),
    samples_hash: Sha256Of('SHA-256 of the matrix, as it is sealed with the run.'),
  },
  { title: 'SampleLayout', description: 'How the matrix of a run is to be read.' },
);

type SamplesOf = { key: string; product: Product; path: string; scope: Scope; kinds: readonly string[] };

/** Declares the download of what runs of these kinds drew. */
export function defineSamples({ kinds, path, ...operation }: SamplesOf): Operation {
  return defineFile({
    ...operation,
    method: 'GET',
    path: `${path}/{uid}/samples` as '/{uid}/samples',
    addition: true,
    summary: 'Downloads the samples of a sealed run, or tells by JSON how they are laid out.',
    description:
      'By `Accept`: the bytes, which are what `samples_hash` is the SHA-256 of, or their layout. Samples of up to 16 MiB are ' +
      'kept with their run; more are had again by a replay.',
    success: { status: 200, description: 'The layout.', schema: SampleLayout },
    files: sampleFiles,
    problems: ['not_found', 'not_acceptable'],
    async handle({ services, params, accepts, fail }) {
      const form = accepts(sampleForms) as (typeof sampleForms)[number] | undefined;
      if (!form) fail('not_acceptable', `The samples can be had as ${sampleForms.join(', ')}.`);
      const found =
        (await services.query(findSamples, params.uid, kinds)) ??
        fail('not_found', 'There is no such sealed run whose samples are kept.');
      return presentSamples(found, form!);
    },
  });
}

/** What a run drew, as bytes or as their layout. */
function presentSamples(
  found: NonNullable<Awaited<ReturnType<typeof findSamples>>>,
  form: (typeof sampleForms)[number],
) {
  const { uid } = found.run;
  const { content } = found;
  if (form === BYTES) return { file: content, type: BYTES, name: `${uid}.f64` } satisfies FileReply;
  // What was sealed was checked against the declaration of the run first.
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
