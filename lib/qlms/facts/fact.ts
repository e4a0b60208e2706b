/** Where the value of a fact is stored. */
export type FactSource = {
  kind: 'observation' | 'record' | 'run' | 'model' | 'computed';
  name: string;
  pointer?: string;
};

/**
 * One figure or text of an answer. `value` is a decimal text, `number` a double (ratios and means), `text` a name; one
 * of the three is given. `of` names the subject. `display` is the formatted value. The text of an answer shows the fact
 * only in this form.
 */
export type Fact = {
  id: string;
  role: 'input' | 'result' | 'first' | 'last';
  measure: string;
  of: string | null;
  period: string | null;
  value: string | null;
  number: number | null;
  text: string | null;
  unit: string;
  currency: string | null;
  display: string;
  rounding: { mode: 'half_even'; digits: number } | null;
  formula: string | null;
  inputs: readonly string[];
  source: FactSource;
  as_of: string;
  known_at: string | null;
  known_at_basis: 'observed' | 'assumed' | 'record';
  periods?: number;
  entities?: number;
  rises?: number;
  falls?: number;
  direction?: 'rose' | 'fell' | 'unchanged';
};

export type FactDraft = Partial<Fact> & {
  role: Fact['role'];
  measure: string;
  unit: string;
  source: FactSource;
};

/** The facts of a query before they get ids and formatted values, and the flags that belong to these facts. */
export type Found = { facts: readonly FactDraft[]; flags: readonly string[] };
