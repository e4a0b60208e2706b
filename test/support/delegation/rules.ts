import type { Parameters } from 'fast-check';
import * as authority from '#lib/actions/authority/authority.ts';
import * as chain from '#lib/actions/authority/chain.ts';
import * as limits from '#lib/actions/authority/limits.ts';
import * as approval from '#lib/actions/delegations/approval.ts';
import * as authorize from '#lib/actions/delegations/authorize.ts';
import * as coverage from '#lib/actions/delegations/coverage.ts';
import * as independence from '#lib/actions/delegations/independence.ts';
import * as quorum from '#lib/actions/delegations/quorum.ts';
import * as states from '#lib/actions/delegations/states.ts';
import * as support from '#lib/actions/delegations/support.ts';
import * as terms from '#lib/actions/delegations/terms.ts';
import * as windows from '#lib/actions/delegations/windows.ts';
import * as governed from '#lib/governance/governed/states.ts';

/** The files of the delegation rules. */
export const ruleFiles = [
  'lib/actions/authority/authority.ts',
  'lib/actions/authority/chain.ts',
  'lib/actions/authority/limits.ts',
  'lib/actions/delegations/approval.ts',
  'lib/actions/delegations/authorize.ts',
  'lib/actions/delegations/coverage.ts',
  'lib/actions/delegations/independence.ts',
  'lib/actions/delegations/quorum.ts',
  'lib/actions/delegations/states.ts',
  'lib/actions/delegations/support.ts',
  'lib/actions/delegations/terms.ts',
  'lib/actions/delegations/windows.ts',
  'lib/governance/governed/states.ts',
] as const;
export type RuleFile = (typeof ruleFiles)[number];

/** The rules of the product. A test may pass rules with a defect instead. */
export const rules = {
  ...authority,
  ...chain,
  ...limits,
  ...approval,
  ...authorize,
  ...coverage,
  ...independence,
  ...quorum,
  ...states,
  ...support,
  ...terms,
  ...windows,
  ...governed,
};
export type Rules = typeof rules;

/** Properties of the rules that hold for every caller. Each can be checked against rules with a defect. */
export type Property = (rules: Rules, options: Parameters<any>) => void;
