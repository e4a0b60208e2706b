/**
 * An event that may happen in a state, the next state, and the invariant that the event itself breaks, if it
 * breaks one.
 */
export type Step<State> = { label: string; next: State; breaks?: string | undefined };

export type System<State> = {
  initial: State;
  keyOf(state: State): string;
  stepsOf(state: State): Step<State>[];
  /** Returns the invariant that does not hold in a state. */
  brokenIn(state: State): string | undefined;
};

export type Violation = { invariant: string; trace: string[] };

/** The visited states by number, in the order in which they were found, beginning with the initial state. */
export type Search<State> = {
  states: State[];
  /** The transitions that change the state: the numbers of both states, and the label of the event. */
  transitions: { from: number; to: number; label: string }[];
  depth: number;
  violation: Violation | undefined;
};

/**
 * Visits every state of a system breadth first. Ends at the first violation. The trace of the violation is
 * then as short as possible.
 */
export function search<State>({ initial, keyOf, stepsOf, brokenIn }: System<State>): Search<State> {
  const states = [initial];
  const numbers = new Map([[keyOf(initial), 0]]);
  const cameBy: { from: number; label: string }[] = [{ from: -1, label: '' }];
  const depths = [0];
  const transitions: Search<State>['transitions'] = [];
  const trace = (at: number): string[] => {
    const { from, label } = cameBy[at]!;
    return from < 0 ? [] : [...trace(from), label];
  };
  const result = (violation?: Violation) => ({ states, transitions, depth: depths.at(-1)!, violation });
  const first = brokenIn(initial);
  if (first) return result({ invariant: first, trace: [] });
  for (let from = 0; from < states.length; from += 1) {
    for (const { label, next, breaks } of stepsOf(states[from]!)) {
      if (breaks) return result({ invariant: breaks, trace: [...trace(from), label] });
      const key = keyOf(next);
      let to = numbers.get(key);
      if (to === undefined) {
        to = states.push(next) - 1;
        numbers.set(key, to);
        cameBy.push({ from, label });
        depths.push(depths[from]! + 1);
        const broken = brokenIn(next);
        if (broken) return result({ invariant: broken, trace: trace(to) });
      }
      if (to !== from) transitions.push({ from, to, label });
    }
  }
  return result();
}

/** Returns the states from which at least one of the goals can be reached by allowed transitions. */
export function reaching<State>(
  { states, transitions }: Search<State>,
  isGoal: (state: State) => boolean,
  isAllowed: (label: string) => boolean = () => true,
): Set<number> {
  const into = new Map<number, number[]>();
  for (const { from, to, label } of transitions) {
    if (!isAllowed(label)) continue;
    const known = into.get(to);
    if (known) known.push(from);
    else into.set(to, [from]);
  }
  const found = new Set(states.flatMap((state, number) => (isGoal(state) ? [number] : [])));
  for (const number of found) for (const from of into.get(number) ?? []) found.add(from);
  return found;
}
