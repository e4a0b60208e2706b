/**
 * The types of corporate actions. A dividend states an amount per share. A split states the number of new
 * shares per old share, so a stock dividend of 5 % is a split of 1.05.
 */
export const actionTypes = ['cash_dividend', 'special_dividend', 'split'] as const;
export type ActionType = (typeof actionTypes)[number];

export function isActionType(text: string): text is ActionType {
  return (actionTypes as readonly string[]).includes(text);
}
