import type { Row } from '../bench.ts';

/** Returns a row of the forecast bench whose figures are not yet filled in. */
export function rowAbout(what: string, unit: string): Row {
  return {
    bench: 'forecast',
    case: what,
    figure: null,
    unit,
    peer: null,
    ratio: null,
    spread: null,
    target: null,
    met: null,
    note: '',
  };
}
