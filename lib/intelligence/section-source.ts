import type { Em } from '#lib/database/base.ts';
import type { SectionSource } from './section.ts';

/** A source whose reader is a transaction. */
export type Source = SectionSource<Em>;
