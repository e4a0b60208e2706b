export const instrumentSchemes = ['isin', 'figi', 'symbol'] as const;
export type InstrumentScheme = (typeof instrumentSchemes)[number];

/** The identifiers of a security, at least one. */
export type Instrument = Readonly<Partial<Record<InstrumentScheme, string>>>;

/**
 * Whether two instruments are the same security: they share at least one scheme, and agree in every shared
 * scheme.
 */
export function isSameInstrument(one: Instrument, other: Instrument): boolean {
  const common = instrumentSchemes.filter(
    (scheme) => one[scheme] !== undefined && other[scheme] !== undefined,
  );
  return common.length > 0 && common.every((scheme) => one[scheme] === other[scheme]);
}

/** Returns the first identifier of a security as text, for people. */
export function instrumentText(instrument: Instrument): string {
  const scheme = instrumentSchemes.find((each) => instrument[each] !== undefined);
  return scheme ? `${scheme}:${instrument[scheme]}` : 'none';
}

/**
 * Whether the check digit of an ISIN is valid (ISO 6166). Each letter counts as two digits, A as 10, and all
 * digits together must pass the Luhn test. Example: US0378331005.
 */
export function isIsin(text: string): boolean {
  if (!/^[A-Z]{2}[A-Z0-9]{9}\d$/.test(text)) return false;
  const digits = [...text].flatMap((each) => [...String(parseInt(each, 36))].map(Number)).toReversed();
  const sum = digits.reduce((total, digit, at) => {
    const weighed = at % 2 === 1 ? digit * 2 : digit;
    return total + (weighed > 9 ? weighed - 9 : weighed);
  }, 0);
  return sum % 10 === 0;
}

/**
 * Whether an observed account is the ordered account. A custodian may show only the last characters of the account, as
 * in `...4821`.
 */
export function isSameAccount(ordered: string, observed: string): boolean {
  const [, end] = /^(?:\.{3}|\*+|X{3,})([A-Za-z0-9-]{4,})$/.exec(observed) ?? [];
  return end === undefined ? ordered === observed : ordered.endsWith(end);
}
