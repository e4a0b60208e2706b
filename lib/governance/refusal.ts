import { Refusal } from '#lib/core/refusal.ts';
import type { BodyFault } from './governed/kind.ts';

type Refused = {
  code: string;
  detail: string;
  /** The faults of the refused document. */
  faults?: readonly BodyFault[];
  /** The exact reason for the refusal, if the verdict contains more than the code. */
  why?: string;
};

/** Returns the error that represents a refused command, for callers that throw refusals. */
export function refusalOf({ code, detail, faults, why }: Refused): Refusal {
  return faults ? invalidBody(faults) : new Refusal(code, why ? `${detail} ${why}` : detail);
}

/** Returns the error for a document with faults, each with its pointer. */
export function invalidBody(faults: readonly BodyFault[]): Refusal {
  return new Refusal(faults.length === 1 ? faults[0]!.code : 'invalid_body', faultsText(faults));
}

/** Returns the faults of a document as one line, each with its pointer. */
export function faultsText(faults: readonly Pick<BodyFault, 'pointer' | 'message'>[]): string {
  return faults.map(({ pointer, message }) => `${pointer || '/'} ${message}`).join('; ');
}
