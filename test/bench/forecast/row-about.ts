import type { Row } from '../bench.ts';

/** Returns a row of the bench of forecasts without its figures. */
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
