import { researchSnapshot } from '#lib/research/research-snapshot.ts';
import type { ComputationOf } from '../process/runner.ts';
import type runner from './research-snapshots.ts';

export const compute: ComputationOf<typeof runner> = (input, data) => {
  const outcome = researchSnapshot(input.as_of_date, data);
  if (outcome.ok) {
    const { result, matrix } = outcome;
    return { ok: true, output: { definition: data.definition, result }, attachments: { matrix } };
  }
  const { refusal } = outcome;
  if (refusal.code === 'leakage') {
    const { detail, ...members } = refusal.finding;
    return { ok: false, refusal: { code: 'leakage', detail: `Leakage: ${detail}.`, members } };
  }
  const { entities, features, coverage } = refusal;
  const detail = `No value was known by ${input.as_of_date} for any of the ${entities} entities and ${features} features.`;
  return {
    ok: false,
    refusal: { code: 'no_observations', detail, members: { coverage: { entities, features, ...coverage } } },
  };
};
