import type { Operation } from '#lib/core/operation.ts';
import * as themeWatch from './investment/theme-watch.ts';
import * as compute from './quant/compute.ts';

/** Every operation that Assay offers. Router, validation, OpenAPI, docs and contract tests are derived from it. */
export const catalog: readonly Operation[] = [themeWatch, compute].flatMap((resource) =>
  Object.values(resource),
);
