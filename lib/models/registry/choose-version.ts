export type ChooseVerdict =
  | { ok: true }
  | { ok: false; code: 'model_unknown' | 'model_not_approved'; detail: string };

/** Whether a version of a model may serve a workspace: an approved one, or none. */
export function decideChoice(
  key: string,
  version: string | null,
  known: readonly { version: string; state: string }[],
): ChooseVerdict {
  if (known.length === 0) {
    return { ok: false, code: 'model_unknown', detail: `There is no model ${key}.` };
  }
  if (version === null || known.some((each) => each.version === version && each.state === 'approved')) {
    return { ok: true };
  }
  return { ok: false, code: 'model_not_approved', detail: `Version ${version} of ${key} is not approved.` };
}
