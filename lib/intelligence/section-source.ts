import type { Em } from '#lib/database/base.ts';
import type { SectionSource } from './section.ts';

/** A domain of the summary, read in a transaction. */
export type Source = SectionSource<Em>;
