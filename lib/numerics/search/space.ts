/** A value that a search chooses for a parameter. */
export type SearchValue = number | string | boolean;

/** One parameter of a search: a list of values, or a range of numbers. */
export type Axis =
  | { name: string; values: readonly SearchValue[] }
  | {
      name: string;
      low: number;
      high: number;
      /**
       * Distance between neighbouring values, starting at `low`. Without a step, the range is continuous or,
       * with `integer`, contains all integers.
       */
      step?: number;
      /** `log` spreads the values evenly over the logarithm of the range. Default `linear`. */
      scale?: 'linear' | 'log';
      /** Whether the values are integers. Default false. */
      integer?: boolean;
    };

/** The parameters of a search. Their order is part of the results. */
export type Space = readonly Axis[];

/** One value for each axis of a space, in the order of the axes. */
export type Point = readonly SearchValue[];
