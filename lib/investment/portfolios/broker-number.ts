const GROUPED = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;

/**
 * Converts a number as brokers print it to a plain decimal text. Removes currency signs, thousands separators
 * and a plus sign; parentheses mean a negative number. Any other text is returned unchanged. Examples:
 * `$1,234.50` is `1234.50`, `(10.00)` is `-10.00`, `.5` is `0.5`.
 */
export function plainNumber(text: string): string {
  const trimmed = text.trim();
  const inParentheses = /^\((.*)\)$/.exec(trimmed)?.[1];
  const [, sign = '', size = ''] = /^([+-]?)(?:[$€£])?(.*)$/u.exec(inParentheses ?? trimmed) ?? [];
  const [, otherSign = '', digits = ''] = /^([+-]?)(.*)$/u.exec(size) ?? [];
  const isNegative = inParentheses !== undefined || sign === '-' || otherSign === '-';
  const plain = GROUPED.test(digits) ? digits.replaceAll(',', '') : digits;
  const whole = plain.startsWith('.') ? `0${plain}` : plain;
  return isNegative ? `-${whole}` : whole;
}
