export const statistics = ['median_value', 'share_succeeded'] as const;
export type Statistic = (typeof statistics)[number];

export const directions = ['increase', 'decrease'] as const;
export type Direction = (typeof directions)[number];

export const verdicts = ['met', 'not_met', 'insufficient_evidence'] as const;
export type Verdict = (typeof verdicts)[number];

/** The states of a proof of value. All states except `collecting` are final. */
export const proofStates = ['collecting', ...verdicts, 'withdrawn'] as const;
export type ProofState = (typeof proofStates)[number];

export const objectives = ['cost_reduction', 'time_saved', 'error_reduction', 'coverage'] as const;
export type Objective = (typeof objectives)[number];

export const measures = ['duration_seconds', 'cost_minor', 'steps_waited_seconds'] as const;
export type Measure = (typeof measures)[number];
