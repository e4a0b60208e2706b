import { actions } from './actions.query.ts';
import type { CompanyBlock } from './block.ts';
import { features } from './features.query.ts';
import { fundamentals } from './fundamentals.query.ts';
import { holders } from './holders.query.ts';
import { identity } from './identity.query.ts';
import { price } from './price.query.ts';
import { themes } from './themes.query.ts';

/** The blocks of the page of a company, in order. */
export const companyBlocks = {
  identity,
  price,
  fundamentals,
  actions,
  themes,
  features,
  holders,
} as const satisfies Record<string, CompanyBlock>;

export type CompanyBlockName = keyof typeof companyBlocks;

export const companyBlockNames = Object.keys(companyBlocks) as CompanyBlockName[];
