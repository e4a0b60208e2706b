import { Foundation } from './2026-11-21-foundation.ts';

/** Every migration in order. A name, once released, is never changed. */
export const migrations = [{ name: '2026-11-21-foundation', class: Foundation }];
