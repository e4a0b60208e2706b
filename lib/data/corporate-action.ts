/**
 * What a company does to its shares. A dividend states an amount a share; a split states how many shares become of
 * one, so that a stock dividend of 5 % is a split of 1.05.
 */
export const actionTypes = ['cash_dividend', 'special_dividend', 'split'] as const;
export type ActionType = (typeof actionTypes)[number];

export function isActionType(text: string): text is ActionType {
  return (actionTypes as readonly string[]).includes(text);
}
