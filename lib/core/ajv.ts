import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

export { Ajv2020 };

/**
 * A strict JSON Schema 2020-12 validator with formats. `useDefaults` fills in what a request left out; `coerceTypes`
 * is for query strings, where all is text.
 */
export function createAjv(options: { useDefaults?: boolean; coerceTypes?: boolean } = {}): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    allErrors: true,
    useDefaults: options.useDefaults ?? false,
    strictTypes: false,
    coerceTypes: options.coerceTypes ?? false,
  });
  formats.default(ajv, ['date', 'date-time', 'email', 'uri']);
  ajv.addFormat('nfc', (text) => text === text.normalize('NFC'));
  return ajv;
}
