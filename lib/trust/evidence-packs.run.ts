import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { defineRun } from '#lib/pipeline/define-run.ts';
import { Closed } from '#lib/core/schema.ts';
import { PackContentSchema } from './evidence-pack.schema.ts';
import { PACK_INPUT } from './evidence-pack.ts';

/**
 * The run that builds an evidence pack. The request has no parameters, because the period follows from the
 * previous pack.
 */
export const evidencePacksRun = defineRun({
  key: 'trust.evidence-packs',
  prefix: prefixes.evidencePack,
  queue: 'io',
  scope: 'trust:write',
  resource: '/trust/evidence-packs',
  model: 'svc_evidence_pack_v1',
  request: Closed({}),
  input: Closed(
    { schema: Type.Literal('svc.evidence-pack/1', { description: 'The format of the pack.' }) },
    {
      description:
        'The format of the pack. The period and the content are determined when the pack is built.',
    },
  ),
  summary: [],
  output: Closed({ result: PackContentSchema }),
  attachments: Closed({}),
  refusals: [],
  problems: ['signing_unavailable', 'log_integrity_failure'],
  timeoutMs: 120_000,
  attempts: 20,
  resolve: async () => ({ input: PACK_INPUT }),
});
