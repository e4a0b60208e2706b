import { sealPack } from '#lib/trust/evidence-pack.ts';
import type { ComputationOf } from '../process/runner.ts';
import type runner from './evidence-packs.ts';

export const compute: ComputationOf<typeof runner> = (_input, loaded) =>
  loaded.ok
    ? { ok: true, output: { result: sealPack(loaded.facts) }, attachments: {} }
    : { ok: false, refusal: { code: loaded.code, detail: loaded.detail } };
