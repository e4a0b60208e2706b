import type { EvaluationError, Leaf, Node } from './compile.ts';
import type { KnownInput } from './fields.ts';

/**
 * The atoms that keep a condition from turning out as wanted: each, had it turned out the other way, would have brought
 * it nearer. Calls back with what the atom itself should have been. What errs is not among them.
 */
export function collectFailedAtoms(
  node: Node,
  input: KnownInput,
  wanted: boolean,
  found: (leaf: Leaf, wanted: boolean) => void,
): void {
  if (node.test(input) !== !wanted) return;
  if (node.kind === 'atom') return found(node, wanted);
  if (node.kind === 'broken') return;
  const ofMembers = node.kind === 'not' ? !wanted : wanted;
  for (const member of node.members) collectFailedAtoms(member, input, ofMembers, found);
}

/** The atoms because of which a condition errs. */
export function collectErrorAtoms(
  node: Node,
  input: KnownInput,
  found: (path: string, code: EvaluationError) => void,
): void {
  const truth = node.test(input);
  if (typeof truth === 'boolean') return;
  if (node.kind === 'atom' || node.kind === 'broken') return found(node.path, truth);
  for (const member of node.members) collectErrorAtoms(member, input, found);
}
