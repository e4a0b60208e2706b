import { Foundation } from './2026-11-21-foundation.ts';
import { FairAdmission } from './2026-11-21-fair-admission.ts';

/** Every migration in order. A name, once released, is never changed. */
export const migrations = [
  { name: '2026-11-21-foundation', class: Foundation },
  { name: '2026-11-21-fair-admission', class: FairAdmission },
];
