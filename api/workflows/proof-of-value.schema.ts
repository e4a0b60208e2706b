import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Decimal, InstantOf, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { SealSchema } from '#lib/core/seal.ts';
import type { ProofOfValue } from '#lib/workflows/proof-of-value/proof-of-value.entity.ts';
import { measures, proofStates, statistics, verdicts } from '#lib/workflows/proof-of-value/proof-states.ts';
import { sealedMembers } from '#lib/workflows/proof-of-value/sealed-members.ts';
import { ProofRequest } from '#lib/workflows/proof-of-value/terms.schema.ts';

const { baseline, statistic: _statistic, measure: _measure, ...echo } = ProofRequest.properties;
const { currency, samples, source_reference, source_hash, ...plain } = baseline.properties;

const Count = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description, examples: [12] });

const Bounds = (description: string) =>
  Type.Array(Decimal('A bound.', '3120.5'), {
    minItems: 2,
    maxItems: 2,
    description,
    examples: [['3120.5', '3480']],
  });

const Measured = Closed(
  {
    n: Count('The number of runs that ended in the window, in any final state.'),
    open_at_end: Count(
      'The number of runs that started before the end of the window and were still open at the end of the window.',
    ),
    unmeasured: Count('The number of runs in `n` without a measured value.'),
    estimate: Nullable(
      Decimal('The median, or the share of succeeded runs.', '3300'),
      'The median, or the share of succeeded runs; null without runs.',
    ),
    interval: Nullable(
      Bounds('The lower and the upper bound.'),
      'The interval of at least 95 %: order statistics for a median, Clopper-Pearson for a share. Null if there are too few runs.',
    ),
    coverage: Nullable(
      Type.Number({ minimum: 0, maximum: 1, examples: [0.96875] }),
      'The probability that the interval contains the median; null for a share.',
    ),
    mean: Nullable(Decimal('The arithmetic mean.', '3410'), 'The arithmetic mean; null for a share.'),
    mean_interval_t: Nullable(
      Closed(
        {
          bounds: Bounds('The lower and the upper bound.'),
          approximate: Type.Literal(true, { description: 'Always true.', examples: [true] }),
        },
        { description: 'The interval of Student for the mean. Skewed values are covered less often.' },
      ),
      'The approximate interval of the mean. The verdict does not use it. Null below 2 values, and for a share.',
    ),
    by_state: Type.Record(Type.String({ pattern: '^[a-z_]+$' }), Count('The number of runs.'), {
      description: 'The number of runs by the state in which they ended.',
      examples: [{ succeeded: 11, failed: 1, cancelled: 0, timed_out: 0 }],
    }),
    is_floor: Type.Boolean({
      description: 'True if some runs have no measured value, so the figures cover only part of the runs.',
    }),
    withheld: Nullable(
      Type.Enum(['unmeasured_share', 'too_few_runs', 'interval_contains_target']),
      'Why there is no verdict; null if there is one.',
    ),
    runs_hash: Sha256Of('SHA-256 over the uids, states, ends and values of the runs.'),
  },
  { description: 'The figures of the runs that ended in the window.' },
);

const Change = Closed(
  {
    against_baseline: Decimal('The difference from the baseline, in the unit of the baseline.', '-2100'),
    percent: Nullable(Decimal('Per cent.', '-38.9'), 'The difference in per cent; null for a baseline of 0.'),
    interval: Nullable(
      Bounds('The lower and the upper bound.'),
      'The interval of the shift of Hodges and Lehmann; null without samples, or with too few.',
    ),
    basis: Type.Enum(['samples', 'value_only'], {
      description:
        'How the change was computed. `samples`: the shift of Hodges and Lehmann from the samples. `value_only`: the plain difference.',
    }),
    interval_method: Nullable(
      Type.Enum(['exact', 'normal_approximation']),
      'How the ranks of the interval were found; null without an interval.',
    ),
  },
  { description: 'The change against the baseline. It says nothing about causes.' },
);

export const ProofOfValueResource = Closed(
  {
    uid: Uid(prefixes.proofOfValue, 'The proof of value.'),
    state: Type.Enum([...proofStates], {
      description: 'The state. `collecting`: the verdict has not been given yet.',
    }),
    ...echo,
    statistic: Type.Enum([...statistics], { description: 'The statistic that is judged.' }),
    measure: Nullable(
      Type.Enum([...measures]),
      'The figure that is measured for each run; null for a share.',
    ),
    baseline: Closed(
      {
        ...plain,
        currency: Nullable(currency, 'The currency of a cost; null for other measures.'),
        source_reference,
        source_hash,
        samples: Nullable(samples, 'The individual values of the baseline; null if there are none.'),
      },
      { description: 'The situation before the window, with its evidence.' },
    ),
    evidence: Closed(
      {
        source_reference,
        source_hash,
        hash_grade: Type.Enum(['sha256', 'opaque'], {
          description: 'The grade of the hash. `sha256`: the hash can be recomputed from the source.',
        }),
      },
      { description: 'The evidence of the baseline.' },
    ),
    terms_hash: Sha256Of('SHA-256 of the RFC 8785 form of the terms, which never change.'),
    measured: Nullable(Measured, 'The measured figures; null before the verdict.'),
    change: Nullable(Change, 'The change against the baseline; null before the verdict, and without runs.'),
    verdict: Type.Enum([...verdicts], {
      description:
        'Whether the target was met in the window. Before the end of the window, the evidence is always insufficient.',
    }),
    verdict_at: Nullable(
      InstantOf('When the verdict was given.'),
      'When the verdict was given; null before.',
    ),
    decided_by: Type.Literal('clock', { description: 'Always `clock`.', examples: ['clock'] }),
    seal: Nullable(
      SealSchema,
      'The seal of the terms, the figures and the verdict; null before the verdict.',
    ),
    created_at: InstantOf('When the terms were fixed.'),
  },
  { title: 'ProofOfValue', description: 'A proof of value of a workflow.' },
);

/** Returns the wire form of a proof of value. */
export function presentProof(proof: ProofOfValue): Static<typeof ProofOfValueResource> {
  return {
    ...sealedMembers(proof),
    seal: proof.seal ?? null,
    verdict_at: proof.verdictAt?.toISOString() ?? null,
    created_at: proof.createdAt.toISOString(),
  };
}
