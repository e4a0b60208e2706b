import { Refusal } from '#lib/core/refusal.ts';
import { applicationUnknown } from '#lib/workspace/application.query.ts';

export function unknownApplication(uid: string): Refusal {
  return new Refusal('application_unknown', applicationUnknown({ application: uid }));
}
