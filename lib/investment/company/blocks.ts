import { actions } from './actions.ts';
import type { CompanyBlock } from './block.ts';
import { features } from './features.ts';
import { fundamentals } from './fundamentals.ts';
import { identity } from './identity.ts';
import { price } from './price.ts';
import { themes } from './themes.ts';

/** The blocks of the page of a company, in order. */
export const companyBlocks = {
  identity,
  price,
  fundamentals,
  actions,
  themes,
  features,
} as const satisfies Record<string, CompanyBlock>;

export type CompanyBlockName = keyof typeof companyBlocks;

export const companyBlockNames = Object.keys(companyBlocks) as CompanyBlockName[];
