/**
 * Removes the repetitions of a character at the end of a text, in one pass. A regular expression such as `0+$` restarts
 * at each repeated character, so its time grows with the square of their number.
 *
 * Example: `withoutTrailing('1500', '0')` is `'15'`.
 */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}
