import type { Em } from '#lib/database/base.ts';
import type { SectionSource } from './section.ts';

/** The source of a section, which reads its domain in a transaction. */
export type Source = SectionSource<Em>;
