import { sealPack } from '#lib/trust/evidence-pack.ts';
import type { evidencePacksRun } from '#lib/trust/evidence-packs.run.ts';
import type { Computation } from '../runner.ts';
import type { Loaded } from './evidence-packs.ts';

export const compute: Computation<typeof evidencePacksRun, Loaded> = (_input, loaded) =>
  loaded.ok
    ? { ok: true, output: { result: sealPack(loaded.facts) }, attachments: {} }
    : { ok: false, refusal: { code: loaded.code, detail: loaded.detail } };
