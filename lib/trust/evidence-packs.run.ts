import Type from 'typebox';
import { defineRun } from '#lib/core/run.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed } from '#lib/core/schema.ts';
import { PackContentSchema } from './evidence-pack.schema.ts';

/** What a pack is about is found out when it is made, since packs follow one another: nothing can be asked for. */
export const evidencePacksRun = defineRun({
  key: 'trust.evidence-packs',
  prefix: prefixes.evidencePack,
  queue: 'io',
  resource: '/trust/evidence-packs',
  model: 'svc_evidence_pack_v1',
  input: Closed(
    { schema: Type.Literal('svc.evidence-pack/1', { description: 'The form of the pack.' }) },
    { description: 'The form alone: what the pack is about is found out when it is made.' },
  ),
  summary: [],
  output: Closed({ result: PackContentSchema }),
  attachments: Closed({}),
  problems: ['signing_unavailable', 'log_integrity_failure'],
  timeoutMs: 120_000,
  attempts: 20,
});
