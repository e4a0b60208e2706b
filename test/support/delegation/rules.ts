import type { Parameters } from 'fast-check';
import * as authority from '#lib/actions/control/authority.ts';
import * as chain from '#lib/actions/control/chain.ts';
import * as limits from '#lib/actions/control/limits.ts';
import * as approval from '#lib/actions/delegation/approval.ts';
import * as authorize from '#lib/actions/delegation/authorize.ts';
import * as coverage from '#lib/actions/delegation/coverage.ts';
import * as independence from '#lib/actions/delegation/independence.ts';
import * as quorum from '#lib/actions/delegation/quorum.ts';
import * as states from '#lib/actions/delegation/states.ts';
import * as support from '#lib/actions/delegation/support.ts';
import * as terms from '#lib/actions/delegation/terms.ts';
import * as windows from '#lib/actions/delegation/windows.ts';
import * as governed from '#lib/governance/governed/states.ts';

/** The files that the rules of delegations are in. */
export const ruleFiles = [
  'lib/actions/control/authority.ts',
  'lib/actions/control/chain.ts',
  'lib/actions/control/limits.ts',
  'lib/actions/delegation/approval.ts',
  'lib/actions/delegation/authorize.ts',
  'lib/actions/delegation/coverage.ts',
  'lib/actions/delegation/independence.ts',
  'lib/actions/delegation/quorum.ts',
  'lib/actions/delegation/states.ts',
  'lib/actions/delegation/support.ts',
  'lib/actions/delegation/terms.ts',
  'lib/actions/delegation/windows.ts',
  'lib/governance/governed/states.ts',
] as const;
export type RuleFile = (typeof ruleFiles)[number];

/** The rules as the product has them; a test may be given others that have a defect. */
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

/** What holds of the rules, whoever calls them. Each can be asked of rules that have a defect. */
export type Property = (rules: Rules, options: Parameters<any>) => void;
