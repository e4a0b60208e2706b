import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { fullFormats } from 'ajv-formats/dist/formats.js';

import { isDate } from './date.ts';

export { Ajv2020 };

/** PostgreSQL has no year 0. */
const isYearZero = (text: string) => text.startsWith('0000');

export type AjvOptions = { useDefaults?: boolean; coerceTypes?: boolean; allErrors?: boolean };

/**
 * Creates a strict JSON Schema 2020-12 validator with formats. `useDefaults` fills in omitted members;
 * `coerceTypes` is for query strings, where every value is text. `allErrors: false` stops at the first error.
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

/** RFC 3339. The format alone also accepts leap seconds and offsets of hours, which no `Date` can hold. */
const { validate: isDateTime } = fullFormats['date-time'] as { validate: (text: string) => boolean };
