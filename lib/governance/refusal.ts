import { Refusal } from '#lib/core/refusal.ts';
import type { BodyFault } from './governed/kind.ts';

type Refused = {
  code: string;
  detail: string;
  /** What is wrong with a document. */
  faults?: readonly BodyFault[];
  /** What exactly refused it, where the verdict says more than its code. */
  why?: string;
};

/** What a refused command ends with, where it is not answered but thrown. */
export function refusalOf({ code, detail, faults, why }: Refused): Refusal {
  return faults ? invalidBody(faults) : new Refusal(code, why ? `${detail} ${why}` : detail);
}

/** The refusal of a document with faults: each of them by its pointer. */
export function invalidBody(faults: readonly BodyFault[]): Refusal {
  return new Refusal(faults.length === 1 ? faults[0]!.code : 'invalid_body', faultsText(faults));
}

/** The faults of a document in one line: each of them by its pointer. */
export function faultsText(faults: readonly Pick<BodyFault, 'pointer' | 'message'>[]): string {
  return faults.map(({ pointer, message }) => `${pointer || '/'} ${message}`).join('; ');
}
