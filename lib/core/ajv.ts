import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { fullFormats } from 'ajv-formats/dist/formats.js';

import { isDate } from './date.ts';

export { Ajv2020 };

/** Whether a text begins with the year 0. PostgreSQL does not support this year. */
const isYearZero = (text: string) => text.startsWith('0000');

export type AjvOptions = { useDefaults?: boolean; coerceTypes?: boolean; allErrors?: boolean };

/**
 * Creates a strict JSON Schema 2020-12 validator with formats. `useDefaults` fills in omitted members. `coerceTypes` is
 * for query strings, in which every value is text. `allErrors: false` stops at the first error.
 */
export function createAjv(options: AjvOptions = {}): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    allErrors: options.allErrors ?? true,
    useDefaults: options.useDefaults ?? false,
    strictTypes: false,
    coerceTypes: options.coerceTypes ?? false,
  });
  formats.default(ajv, ['date', 'date-time', 'email', 'uri']);
  ajv.addFormat('date', (text) => isDate(text) && !isYearZero(text));
  ajv.addFormat(
    'date-time',
    (text) => isDateTime(text) && !isYearZero(text) && !Number.isNaN(Date.parse(text)),
  );
  ajv.addFormat('nfc', (text) => text === text.normalize('NFC'));
  return ajv;
}

/**
 * Checks an RFC 3339 date and time. The standard format also accepts leap seconds and offsets in hours, which a `Date`
 * cannot represent.
 */
const { validate: isDateTime } = fullFormats['date-time'] as { validate: (text: string) => boolean };
