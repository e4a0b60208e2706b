import { seal, type Seal } from '#lib/core/seal.ts';
import type { ParameterValues } from './parameters.ts';

/** A pipeline run that a report is based on. */
export type Evidence = {
  step: string;
  run_uid: string;
  kind: string;
  result_hash: string;
  seal_hash: string;
};

export type ReportContext = {
  workflow: { key: string; version: number; digest: string };
  parameters: ParameterValues;
  /** The pipeline runs of the succeeded steps, in order. */
  evidence: readonly Evidence[];
};

export type Report = {
  workflow: ReportContext['workflow'];
  parameters: ParameterValues;
  title: string;
  figures: Record<string, unknown>;
  evidence: Evidence[];
  seal: Seal;
};

const CHARACTERS_MAX = 200_000;

/**
 * Builds and seals a report: figures, with the definition, the parameters and the sealed runs from which the figures
 * come. Returns undefined if there are too many figures for a report.
 */
export function buildReport(
  { workflow, parameters, evidence }: ReportContext,
  title: string,
  figures: Record<string, unknown>,
  now: Date,
): Report | undefined {
  if (JSON.stringify(figures).length > CHARACTERS_MAX) return undefined;
  const members = { workflow, parameters, title, figures, evidence: [...evidence] };
  return { ...members, seal: seal(members, now) };
}
