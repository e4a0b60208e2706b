export type ChooseVerdict =
  | { ok: true }
  | { ok: false; code: 'model_unknown' | 'model_not_approved'; detail: string };

/**
 * Decides whether a version of a model can become the serving version for a workspace. The version must be approved.
 * Null removes the serving version, and is allowed for every known model.
 */
export function decideChoice(
  key: string,
  version: string | null,
  known: readonly { version: string; state: string }[],
): ChooseVerdict {
  if (known.length === 0) {
    return { ok: false, code: 'model_unknown', detail: `The model ${key} does not exist.` };
  }
  if (version === null || known.some((each) => each.version === version && each.state === 'approved')) {
    return { ok: true };
  }
  return { ok: false, code: 'model_not_approved', detail: `Version ${version} of ${key} is not approved.` };
}
